package run

import (
	"bytes"
	"errors"
	"testing"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/reports"
)

// broken is a reporter that always fails.
type broken struct{}

func (broken) Begin(reports.Header) error { return errors.New("no space left on device") }

func (broken) Result(harness.Result) error { return errors.New("no space left on device") }

func (broken) End(reports.Footer) error { return errors.New("no space left on device") }

func TestJoinedReportersAllReport(t *testing.T) {
	var first, last bytes.Buffer
	one, _ := reports.New("jsonl", &first, reports.Options{})
	other, _ := reports.New("jsonl", &last, reports.Options{})
	all := joined{one, broken{}, other}
	for _, err := range []error{
		all.Begin(reports.Header{}),
		all.Result(harness.Result{Case: &harness.Case{}}),
		all.End(reports.Footer{}),
	} {
		if err == nil {
			t.Fatal("the error of the broken one was lost")
		}
	}
	if first.Len() == 0 || !bytes.Equal(first.Bytes(), last.Bytes()) {
		t.Errorf("the broken one kept others from reporting: %d and %d bytes", first.Len(), last.Len())
	}
}
