package plaintext

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"sigs.k8s.io/yaml"
)

// Encoders of YAML write as they are most characters that are not printable, and two
// line separators so that they are read as something else. What they cannot write as it
// is, they escape: so a control character, the mark, is put before each of these, which
// makes the encoder use double quotes, and in its output replaces each mark, with the
// character after it, by an escape.
const (
	yamlMark = '\x01'
	// writtenMark is how encoders write the mark.
	writtenMark = `\x01`
)

// YAML gives a value as a document of YAML in printable characters: all others stand as
// escapes, so that a program reads the same. The value is what JSON can hold; its keys
// are sorted.
func YAML(value any) ([]byte, error) {
	encoded, err := JSON(value)
	if err != nil {
		return nil, err
	}
	text, err := yaml.JSONToYAML(jsonToMark.ReplaceAllFunc(encoded, markJSON))
	if err != nil {
		return nil, err
	}
	return EscapeYAML(text), nil
}

// jsonToMark finds what MarkYAML marks, in the escapes of JSON. Another escape is found
// so that its second backslash does not begin one.
var jsonToMark = regexp.MustCompile(`\\u[dD][89abAB]..\\u....|\\u....|\\\\x01|\\.`)

func markJSON(escape []byte) []byte {
	switch {
	case string(escape) == `\\x01`:
		return []byte(`\u0001\\x01`)
	case escape[1] != 'u':
		return escape
	}
	var text string // of surrogates YAML knows nothing
	if err := json.Unmarshal([]byte(`"`+string(escape)+`"`), &text); err != nil || MarkYAML(text) == text {
		return escape
	}
	return fmt.Appendf(nil, `\u%04x\U%08x`, yamlMark, []rune(text)[0])
}

// MarkYAML readies a text for an encoder of YAML whose output EscapeYAML gets.
func MarkYAML(text string) string {
	if isPlain(text) && !strings.Contains(text, writtenMark) {
		return text
	}
	var marked strings.Builder
	for at, r := range text {
		if r == yamlMark || r > '~' && !printable(r) || strings.HasPrefix(text[at:], writtenMark) {
			marked.WriteRune(yamlMark)
		}
		marked.WriteRune(r)
	}
	return marked.String()
}

// marked finds a mark, and the character or escape after it.
var marked = regexp.MustCompile(regexp.QuoteMeta(writtenMark) + `(\\.|[^\x00-\x7f])`)

// EscapeYAML replaces the marks in a document.
func EscapeYAML(document []byte) []byte {
	return marked.ReplaceAllFunc(document, func(found []byte) []byte {
		after := found[len(writtenMark):]
		if after[0] == '\\' {
			return after // the encoder has escaped it
		}
		r := []rune(string(after))[0]
		if r > 0xffff {
			return fmt.Appendf(nil, `\U%08x`, r)
		}
		return fmt.Appendf(nil, `\u%04x`, r)
	})
}
