package evidence

import (
	"regexp"
	"strings"
)

var (
	NumberPattern = regexp.MustCompile(`-?\b[0-9]+(?:\.[0-9]+)?\b`)
	quotePattern  = regexp.MustCompile("\"((?:[^\"\\\\]|\\\\.)*)\"|`([^`]*)`|'([^']*)'")
	listPattern   = regexp.MustCompile(`(?i)(?:one of|values?|either|are|allowed)[^:\[(]{0,30}[:\[(]\s*([^\])]+)`)
	WordPattern   = regexp.MustCompile(`[A-Za-z][A-Za-z0-9]*`)
)

// QuotedIn returns the values that a text lists or quotes.
func QuotedIn(text string) []string {
	var all []string
	for _, found := range quotePattern.FindAllStringSubmatch(text, -1) {
		all = append(all, found[1]+found[2]+found[3])
	}
	if len(all) > 0 {
		return all
	}
	if list := listPattern.FindStringSubmatch(text); list != nil {
		for _, word := range regexp.MustCompile(`[,\s|]+`).Split(strings.TrimSpace(list[1]), -1) {
			if word = strings.Trim(word, "."); word != "" && word != "or" && word != "and" {
				all = append(all, word)
			}
		}
	}
	return all
}

// WordsOf returns the words of a text in lower case.
func WordsOf(text string) map[string]bool {
	words := map[string]bool{}
	for _, word := range WordPattern.FindAllString(text, -1) {
		words[strings.ToLower(word)] = true
	}
	return words
}

// Mentions reports whether a text with some words names a field, in the plural or in the singular.
func Mentions(words map[string]bool, field string) bool {
	lower := strings.ToLower(field)
	return words[lower] || words[lower+"s"] || words[strings.TrimSuffix(lower, "s")]
}
