package display

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Name returns a name for display: the id of a case, a target, a field.
func Name(text string) string { return plaintext.Cut(strings.TrimSpace(text), plaintext.MaxLine) }

// Pad fills a text up to a width in runes.
func Pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

// Widest returns the width of the widest text, in runes.
func Widest(texts []string) int {
	width := 0
	for _, text := range texts {
		width = max(width, utf8.RuneCountInString(text))
	}
	return width
}

// Target returns the target of a result. It is empty if the suite does not have it.
func Target(r harness.Result) string {
	if r.Version.Empty() {
		return ""
	}
	return apiname.Target(r.Version)
}

// Number aligns a number to the right of its column. Zero is a dot, so other numbers stand out.
func Number(n, width int) string {
	if n == 0 {
		return strings.Repeat(" ", width-1) + "·"
	}
	return fmt.Sprintf("%*s", width, plaintext.Number(n))
}
