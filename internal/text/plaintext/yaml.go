package plaintext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"sigs.k8s.io/yaml"
)

// Encoders of YAML do not escape most unprintable characters, and write two line separators so that they are
// read as something else. They do escape control characters. So a control character, the mark, is put before
// each of these characters, which makes the encoder use double quotes. In its output each mark, with the
// character after it, is replaced by an escape.
const (
	yamlMark = '\x01'
	// writtenMark is the mark as encoders write it.
	writtenMark = `\x01`
)

// YAML returns a value as a YAML document in printable characters: all others, and commands of CI systems,
// are escaped, so programs read the same value. The value is one that JSON can represent; its keys are
// sorted.
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

// FlowText returns a text for a list or mapping of YAML on one line: in quotes, unless it needs none.
func FlowText(text string) string {
	out, err := yaml.Marshal(text)
	if plain := strings.TrimSpace(string(out)); err == nil && plain == text && !strings.ContainsAny(text, ",[]{}") {
		return text
	}
	encoded, _ := JSON(text) // a string
	return string(encoded)
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

// surrogates matches JSON escapes that YAML does not have. It also matches an escaped backslash, so that this
// does not begin one of them.
var surrogates = regexp.MustCompile(`\\\\|\\u[dD][89abAB]..\\u....`)

func joinSurrogates(escape []byte) []byte {
	var text string
	if len(escape) == len(`\\`) || json.Unmarshal([]byte(`"`+string(escape)+`"`), &text) != nil {
		return escape
	}
	return fmt.Appendf(nil, `\U%08x`, []rune(text)[0])
}

// MarkYAML prepares a text for a YAML encoder whose output is passed to EscapeYAML.
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
		inLine = r != '\n' && r != ' ' && r != '\t' // an encoder breaks long lines at spaces
	}
	return marked.String()
}

// marked matches a mark, and the character or escape after it.
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
