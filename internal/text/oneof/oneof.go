// Package oneof checks a word of a flag, an option or a key of a file against the words that it
// accepts, and lists these.
package oneof

import (
	"fmt"
	"slices"
	"strings"
)

// Check reports a word that is not accepted. name is the flag, option or key that has it. If the
// word may be empty, accepted has the empty word too.
func Check[W ~string](name string, word W, accepted ...W) error {
	if slices.Contains(accepted, word) {
		return nil
	}
	return fmt.Errorf("%s does not know %q;%s accepted: %s", name, word, DidYouMean(word, accepted), List(accepted))
}

// List joins the accepted words, without the empty one.
func List[W ~string](accepted []W) string {
	var list []string
	for _, word := range accepted {
		if word != "" {
			list = append(list, string(word))
		}
	}
	return strings.Join(list, ", ")
}

// OrNone joins the accepted words, and is "none" if there are none.
func OrNone[W ~string](accepted []W) string {
	if len(accepted) == 0 {
		return "none"
	}
	texts := make([]string, len(accepted))
	for i, word := range accepted {
		texts[i] = string(word)
	}
	return strings.Join(texts, ", ")
}
