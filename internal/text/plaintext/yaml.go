package plaintext

import (
	"bytes"
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

// YAML gives a value as a document of YAML in printable characters: all others, and what
// is a command for those who read logs, stand as escapes, so that a program reads the
// same. The value is what JSON can hold; its keys are sorted.
func YAML(value any) ([]byte, error) {
	encoded, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var decoded any
	decoder := json.NewDecoder(bytes.NewReader(encoded))
	decoder.UseNumber()
	if err := decoder.Decode(&decoded); err != nil {
		return nil, err
	}
	if encoded, err = JSON(markAll(decoded)); err != nil {
		return nil, err
	}
	text, err := yaml.JSONToYAML(surrogates.ReplaceAllFunc(encoded, joinSurrogates))
	if err != nil {
		return nil, err
	}
	return EscapeYAML(text), nil
}

// markAll marks the texts and keys of a value.
func markAll(value any) any {
	switch value := value.(type) {
	case string:
		return MarkYAML(value)
	case []any:
		for i := range value {
			value[i] = markAll(value[i])
		}
	case map[string]any:
		marked := make(map[string]any, len(value))
		for key, inside := range value {
			marked[MarkYAML(key)] = markAll(inside)
		}
		return marked
	}
	return value
}

// surrogates finds escapes of JSON that YAML does not have. A backslash that stands for
// itself is found so that it begins none of them.
var surrogates = regexp.MustCompile(`\\\\|\\u[dD][89abAB]..\\u....`)

func joinSurrogates(escape []byte) []byte {
	var text string
	if len(escape) == len(`\\`) || json.Unmarshal([]byte(`"`+string(escape)+`"`), &text) != nil {
		return escape
	}
	return fmt.Appendf(nil, `\U%08x`, []rune(text)[0])
}

// MarkYAML readies a text for an encoder of YAML whose output EscapeYAML gets.
func MarkYAML(text string) string {
	if isPlain(text) && !strings.Contains(text, writtenMark) && !strings.Contains(text, lineCommand) {
		return text
	}
	var marked strings.Builder
	inLine := false
	for at, r := range text {
		isCommand := beginsCommand(text[at:]) || !inLine && strings.HasPrefix(text[at:], lineCommand)
		if isCommand || r == yamlMark || r > '~' && !printable(r) || strings.HasPrefix(text[at:], writtenMark) {
			marked.WriteRune(yamlMark)
		}
		marked.WriteRune(r)
		inLine = r != '\n' && r != ' ' && r != '\t' // an encoder breaks long lines at blanks
	}
	return marked.String()
}

// marked finds a mark, and the character or escape after it.
var marked = regexp.MustCompile(regexp.QuoteMeta(writtenMark) + `(\\.|[#:]|[^\x00-\x7f])`)

// EscapeYAML replaces the marks in a document.
func EscapeYAML(document []byte) []byte {
	return marked.ReplaceAllFunc(document, func(found []byte) []byte {
		after := found[len(writtenMark):]
		r := []rune(string(after))[0]
		switch {
		case r == '\\':
			return after // the encoder has escaped it
		case r < 0x80:
			return fmt.Appendf(nil, `\x%02x`, r)
		case r > 0xffff:
			return fmt.Appendf(nil, `\U%08x`, r)
		}
		return fmt.Appendf(nil, `\u%04x`, r)
	})
}
