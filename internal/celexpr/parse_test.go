package celexpr_test

import (
	"testing"

	"github.com/diffrun/diffrun/internal/celexpr"
)

func TestParse(t *testing.T) {
	for _, row := range []struct {
		why, text, function string
	}{
		{"a macro stays a call", "self.all(x, x > 1)", "all"},
		{"optional syntax", "self.?name.hasValue()", "hasValue"},
		{"no CEL", "self ==", ""},
	} {
		function := ""
		if e := celexpr.Parse(row.text); e != nil {
			function = e.AsCall().FunctionName()
		}
		if function != row.function {
			t.Errorf("%s: %s is a call of %q, want %q", row.why, row.text, function, row.function)
		}
	}
}
