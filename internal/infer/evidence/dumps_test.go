package evidence

import "testing"

func TestWithoutDumps(t *testing.T) {
	for text, want := range map[string]string{
		"not supported for {Group:apps Kind:b}, or so":     "not supported for #, or so",
		"invalid {add /a {\"x\"}}: path must start with /": "invalid #: path must start with /",
		"selector &LabelSelector{MatchLabels:map[]{}} is":  "selector &LabelSelector# is",
		"two: {} and {a b}": "two: # and #",
		"a regular expression, [a-z]([a-z0-9]{0,61})?, is":   "a regular expression, [a-z]([a-z0-9]{0,61})?, is",
		"not closed {Name:{ Kind:b} here":                    "not closed # here",
		"not closed at all {Name:a":                          "not closed at all #",
		"nothing in braces":                                  "nothing in braces",
		"{Name:a} begins, and a text ends with {Name:b c:d}": "# begins, and a text ends with #",
	} {
		if got := withoutDumps(text); got != want {
			t.Errorf("withoutDumps(%q) = %q, want %q", text, got, want)
		}
	}
}
