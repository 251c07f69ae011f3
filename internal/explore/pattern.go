package explore

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// The numbers of texts that are made for two patterns, and of texts between them that are tried.
const (
	patternTexts = 24
	betweenTries = 8
	// longestText is the longest text, in bytes, whose neighbors are tried. Each character has
	// seventeen neighbors, each as long as the text.
	longestText = 200
)

// between returns texts that only the first of two patterns matches: texts of both patterns and
// their neighbors. Nothing else finds texts that match only because a pattern is not anchored,
// such as "5mX" for "^5m".
func between(src generate.Source, accepts, rejects string) []any {
	matches, errA := regexp.Compile(accepts)
	refuses, errB := regexp.Compile(rejects)
	if errA != nil || errB != nil || accepts == rejects {
		return nil
	}
	var found []string
	for i := range patternTexts {
		of := &props{Type: "string", Pattern: []string{accepts, rejects}[i%2]}
		text, _ := generate.Value(src, of, generate.ObjectOptions{Values: 1}).(string)
		if len(text) > longestText {
			continue
		}
		for _, one := range oneCharacterOff(text) {
			if matches.MatchString(one) && !refuses.MatchString(one) {
				found = append(found, one)
			}
		}
	}
	slices.SortFunc(found, func(a, b string) int {
		return cmp.Or(strings.Count(a, "\n")-strings.Count(b, "\n"), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	var all []any
	for _, text := range slices.Compact(found) {
		if all = append(all, text); len(all) == betweenTries {
			break
		}
	}
	return all
}

// oneCharacterOff returns a text, and all texts with one character added, removed or changed.
func oneCharacterOff(text string) []string {
	all := []string{text}
	runes := []rune(text)
	for at := range len(runes) + 1 {
		before := string(runes[:at])
		for _, more := range []string{"a", "A", "0", "-", ".", "/", " ", "\n"} {
			all = append(all, before+more+string(runes[at:]))
			if at < len(runes) {
				all = append(all, before+more+string(runes[at+1:]))
			}
		}
		if at < len(runes) {
			all = append(all, before+string(runes[at+1:]))
		}
	}
	return all
}
