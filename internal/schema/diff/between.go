package diff

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// The numbers of strings that are made for a change of a pattern, and of strings between the two
// patterns that are tried in objects.
const (
	patternTexts = 24
	betweenTries = 8
	// longestText is the longest string, in bytes, whose neighbors are tried. Each character has
	// seventeen neighbors, each as long as the string.
	longestText = 200
)

// between returns strings that only the accepting pattern matches: strings of both patterns and
// their neighbors. Nothing else finds strings that match only because a pattern is not anchored,
// such as "5mX" for "^5m".
func (t *trial) between(accept, reject *props) []leaf {
	matches, errA := regexp.Compile(accept.Pattern)
	refuses, errB := regexp.Compile(reject.Pattern)
	if errA != nil || errB != nil {
		return nil
	}
	var found []string
	for i := range patternTexts {
		of := &apiextensionsv1.JSONSchemaProps{Type: "string", Pattern: []string{accept.Pattern, reject.Pattern}[i%2]}
		text, _ := generate.Value(t.src, of, generate.ObjectOptions{Values: 1}).(string)
		if len(text) > longestText {
			continue
		}
		for _, one := range neighbours(text) {
			if matches.MatchString(one) && !refuses.MatchString(one) {
				found = append(found, one)
			}
		}
	}
	slices.SortFunc(found, func(a, b string) int {
		return cmp.Or(strings.Count(a, "\n")-strings.Count(b, "\n"), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	found = slices.Compact(found)
	var all []leaf
	for _, text := range found[:min(len(found), betweenTries)] {
		all = append(all, func(any) any { return text })
	}
	return all
}

// neighbours returns a string, and all strings with one character added, removed or changed.
func neighbours(text string) []string {
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
