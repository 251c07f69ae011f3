package diff

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// How many strings are made for a change of a pattern, and how many of those between the patterns
// are tried in objects.
const (
	patternTexts = 24
	betweenTries = 8
	// longestText is the length in bytes up to which the neighbors of a string are tried: there are
	// seventeen for each character, each as long as the string.
	longestText = 200
)

// between returns strings that the accepting pattern matches and the other one does not: strings of
// both patterns and their neighbors. A match that exists only because a pattern is not anchored,
// such as "5mX" for "^5m", is found in no other way.
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

// neighbours returns a string, and strings with one character more, less or changed.
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
