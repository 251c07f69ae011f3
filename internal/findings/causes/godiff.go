package causes

import (
	"regexp"
	"strings"
)

// goDiff matches what cmp.Diff prints: a value in Go syntax of which each line begins with two blanks, or a sign and
// a blank. Its blanks may be no-break spaces, and it may be cut off.
var goDiff = regexp.MustCompile(`(?:[ \x{a0}]{2}[^\n]*|^[^\s:]*)[({]\n(?:[-+ \x{a0}][^\n]*(?:\n|\z))*?(?:[ \x{a0}]{2}[)}](?:, ` +
	`"[^"\n]*"\))?|\z)`)

// withoutDiffs returns a text with " #" for each difference of two objects, however many lines it has.
func withoutDiffs(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	return goDiff.ReplaceAllStringFunc(text, func(found string) string {
		if !strings.Contains(found, "\n-") && !strings.Contains(found, "\n+") {
			return found
		}
		return " #"
	})
}
