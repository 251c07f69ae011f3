package fieldpath

import "strings"

// JoinKey makes one key of several texts. No two lists of texts make the same key.
func JoinKey(parts ...string) string {
	var key strings.Builder
	for _, part := range parts {
		key.WriteString(strings.ReplaceAll(part, "\x00", "\x00\x01"))
		key.WriteString("\x00\x00")
	}
	return key.String()
}
