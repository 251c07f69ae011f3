package plaintext

import (
	"fmt"
	"regexp"
	"strings"
)

// Regexp returns a regular expression in printable characters that matches only this text.
func Regexp(text string) string {
	quoted := regexp.QuoteMeta(text)
	if isPlain(quoted) {
		return quoted
	}
	var out strings.Builder
	for _, r := range quoted {
		if printable(r) {
			out.WriteRune(r)
		} else {
			fmt.Fprintf(&out, `\x{%x}`, r)
		}
	}
	return out.String()
}
