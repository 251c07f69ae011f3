package plaintext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON returns a value as JSON on one line without a line break. Characters that are not printable, and
// commands of CI systems, are \u escapes, so programs decode the same value. < > & are not escaped: they are
// common in messages, and reports are not HTML.
func JSON(value any) (json.RawMessage, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return escapeJSON(bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))), nil
}

// escapeJSON escapes characters that are not printable in JSON without line breaks. They occur only in
// strings and keys.
func escapeJSON(encoded []byte) []byte {
	first := slices.IndexFunc(encoded, func(b byte) bool { return b >= 0x7f })
	if first < 0 {
		first = len(encoded)
	}
	if mark := bytes.Index(encoded[:first], []byte(commandMark)); mark >= 0 {
		first = mark
	}
	if first == len(encoded) {
		return encoded
	}
	escaped := bytes.Clone(encoded[:first])
	for rest := encoded[first:]; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		isCommand := r == '#' && beginsCommand(string(rest[:min(len(rest), len(commandMark)+longestWord+1)]))
		switch {
		case printable(r) && !isCommand:
			escaped = append(escaped, rest[:size]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			escaped = fmt.Appendf(escaped, `\u%04x\u%04x`, high, low)
		default:
			escaped = fmt.Appendf(escaped, `\u%04x`, r)
		}
		rest = rest[size:]
	}
	return escaped
}
