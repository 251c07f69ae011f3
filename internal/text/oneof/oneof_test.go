package oneof_test

import (
	"testing"

	"github.com/diffrun/diffrun/internal/text/oneof"
)

func TestCheck(t *testing.T) {
	for _, row := range []struct {
		why, word string
		accepted  []string
		want      string
	}{
		{"an accepted word", "b", []string{"a", "b"}, ""},
		{"a different word", "c", []string{"a", "b"}, `--by does not know "c"; accepted: a, b`},
		{"nothing is not a word", "", []string{"a", "b"}, `--by does not know ""; accepted: a, b`},
		{"unless it is accepted", "", []string{"", "a"}, ""},
		{"the list does not show it", "c", []string{"", "a"}, `--by does not know "c"; accepted: a`},
	} {
		got := ""
		if err := oneof.Check("--by", row.word, row.accepted...); err != nil {
			got = err.Error()
		}
		if got != row.want {
			t.Errorf("%s: got %q, want %q", row.why, got, row.want)
		}
	}
}
