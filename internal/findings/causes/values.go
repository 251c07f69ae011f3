package causes

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Bounds of the values that are looked for in a text. A shorter value might be a word of the message.
const (
	shortestValue = 3
	mostValues    = 20
	largestValue  = 4 << 10 // bytes of JSON
)

// withoutValues returns the text of an error with "#" for each word that is a value of the object: the
// bad value, a text inside it, or a key in the path of the field.
func withoutValues(err *field.Error) string {
	text := err.Detail
	for _, value := range valuesOf(err) {
		text = replaceWord(text, value)
	}
	return text
}

// valuesOf returns the texts of an error that are about one object, the longest first.
func valuesOf(err *field.Error) []string {
	var values []string
	add := func(text string) {
		if len(values) < mostValues && utf8.RuneCountInString(text) >= shortestValue && strings.Contains(err.Detail, text) {
			values = append(values, text)
		}
	}
	for _, step := range fieldpath.Split(err.Field) {
		if step.Bracket {
			add(strings.Trim(step.Text, "[]"))
		}
	}
	if text, isText := err.BadValue.(string); isText {
		add(text)
	} else if encoded := plaintext.BadValue(err.BadValue); len(encoded) <= largestValue {
		var decoded any
		if json.Unmarshal(encoded, &decoded) == nil {
			eachText(decoded, add)
		}
	}
	slices.SortStableFunc(values, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return values
}

// eachText calls a function for each text in a decoded JSON value.
func eachText(value any, call func(string)) {
	switch value := value.(type) {
	case string:
		call(value)
	case []any:
		for _, item := range value {
			eachText(item, call)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			eachText(value[key], call)
		}
	}
}

// replaceWord replaces a value by "#" where it is not a part of a longer word.
func replaceWord(text, value string) string {
	var out strings.Builder
	for {
		at := strings.Index(text, value)
		if at < 0 {
			out.WriteString(text)
			return out.String()
		}
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(value):])
		out.WriteString(text[:at])
		if isLetter(before) || isLetter(after) {
			out.WriteString(value)
		} else {
			out.WriteString("#")
		}
		text = text[at+len(value):]
	}
}

func isLetter(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}
