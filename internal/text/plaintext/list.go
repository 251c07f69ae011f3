package plaintext

import (
	"fmt"
	"strings"
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
func More(n int) string { return fmt.Sprintf("… and %d more", n) }

// Count returns "1 error", "2 errors".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
