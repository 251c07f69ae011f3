package capture_test

import (
	"strings"
	"testing"

	"github.com/diffrun/diffrun/dev/upstream/capture"
)

// TestRead: numeric flags keep all their digits, and broken JSON is an error.
func TestRead(t *testing.T) {
	calls, err := capture.Read(
		strings.NewReader(`{"function":"F","flags":{"budget":9223372036854775807,"root":true},"object":{"a":1.0}}` + "\n" +
			`{"function":"G"}`))
	if err != nil || len(calls) != 2 {
		t.Fatalf("%d calls, %v", len(calls), err)
	}
	if budget, there := calls[0].Number("budget"); budget != 9223372036854775807 || !there {
		t.Errorf("the budget is %d", budget)
	}
	if !calls[0].Flag("root") || calls[1].Flag("root") || string(calls[0].Object) != `{"a":1.0}` {
		t.Errorf("the first call is %+v", calls[0])
	}
	if _, there := calls[1].Number("budget"); there {
		t.Error("a flag that is not there was found")
	}
	if _, err := capture.Read(strings.NewReader(`{"function":`)); err == nil {
		t.Error("half a call was read")
	}
}
