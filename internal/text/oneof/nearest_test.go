package oneof_test

import (
	"testing"

	"github.com/diffrun/diffrun/internal/text/oneof"
)

func TestNearest(t *testing.T) {
	accepted := []string{"run", "report", "rules", "exceptions", "validate", ""}
	for _, row := range []struct{ why, word, want string }{
		{"two letters exchanged", "rnu", "run"},
		{"two letters exchanged in a long word", "exceptoins", "exceptions"},
		{"a letter is missing", "rues", "rules"},
		{"a letter too many", "validatee", "validate"},
		{"two of eight letters differ", "wolidate", "validate"},
		{"a different word", "merge", ""},
		{"short words have one mistake", "rx", ""},
		{"nothing", "", ""},
	} {
		if got := oneof.Nearest(row.word, accepted); got != row.want {
			t.Errorf("%s: %q is nearest to %q, want %q", row.why, row.word, got, row.want)
		}
	}
	if got := oneof.DidYouMean("rnu", accepted); got != ` did you mean "run"?` {
		t.Error(got)
	}
}
