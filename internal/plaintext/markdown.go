package plaintext

import "strings"

// Markdown writes a text on one line such that Markdown and HTML in it have no effect, also in
// the cell of a table.
func Markdown(text string) Text {
	var out strings.Builder
	for _, r := range Line(text) {
		switch {
		case strings.ContainsRune("\\`*_{}[]()#+-.!|~$@:", r):
			out.WriteString("\\" + string(r))
		case r == '<':
			out.WriteString("&lt;")
		case r == '>':
			out.WriteString("&gt;")
		case r == '&':
			out.WriteString("&amp;")
		default:
			out.WriteRune(r)
		}
	}
	return Text(out.String())
}
