package plaintext

import (
	"strconv"
	"strings"
	"time"
)

// List joins at most MaxNames names for a sentence, each as Line does.
func List(names []string) string {
	var shown []string
	for _, name := range names[:min(len(names), slack(MaxNames))] {
		shown = append(shown, Cut(name, MaxLine))
	}
	if len(names) > len(shown) {
		return strings.Join(shown[:MaxNames], ", ") + ", " + More(len(names)-MaxNames)
	}
	return strings.Join(shown, ", ")
}

// First returns the first MaxItems items, and the number of the others.
func First[T any](all []T) (shown []T, more int) {
	if len(all) <= slack(MaxItems) {
		return all, 0
	}
	return all[:MaxItems], len(all) - MaxItems
}

// More returns the end of a list from which items were left out.
func More(n int) string { return "… and " + Number(n) + " more" }

// Count returns "1 error", "2 errors", "1,234 errors".
func Count(n int, noun string) string { return Number(n) + " " + Plural(n, noun) }

// Plural returns a noun, in the plural unless there is one.
func Plural(n int, noun string) string {
	stem, isY := strings.CutSuffix(noun, "y")
	switch {
	case n == 1:
		return noun
	case isY && !strings.ContainsAny(stem[max(0, len(stem)-1):], "aeiou"):
		return stem + "ies"
	}
	return noun + "s"
}

// Number writes a number with commas between thousands.
func Number(n int) string {
	sign, digits := "", strconv.Itoa(n)
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return sign + digits
}

// Duration rounds a duration for people.
func Duration(elapsed time.Duration) string {
	switch {
	case elapsed < time.Second:
		elapsed = elapsed.Round(time.Millisecond)
	case elapsed < time.Minute:
		elapsed = elapsed.Round(10 * time.Millisecond)
	default:
		elapsed = elapsed.Round(time.Second)
	}
	return elapsed.String()
}
