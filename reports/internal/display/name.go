package display

import (
	"fmt"
	"strings"
	"time"
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

// Count returns a number with its noun.
func Count(n int, noun string) string { return fmt.Sprintf("%d %s", n, Plural(n, noun)) }

// Plural returns a noun, in the plural unless there is one.
func Plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// Grouped formats a number with commas between thousands.
func Grouped(n int) string {
	digits := fmt.Sprint(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// Duration rounds a duration.
func Duration(elapsed time.Duration) string {
	if elapsed < time.Second {
		return elapsed.Round(time.Millisecond).String()
	}
	return elapsed.Round(10 * time.Millisecond).String()
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
	return fmt.Sprintf("%*d", width, n)
}
