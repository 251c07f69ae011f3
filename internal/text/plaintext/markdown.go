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

// MarkdownCode returns a code span: a text that Markdown shows unchanged, without mentions or links.
func MarkdownCode(text string) Text {
	text = Cut(text, MaxLine)
	if strings.TrimSpace(text) == "" {
		return ""
	}
	longest, run := 0, 0
	for _, r := range text {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if longest > 0 || strings.HasPrefix(text, " ") && strings.HasSuffix(text, " ") {
		text = " " + text + " " // Markdown removes one of them at each end
	}
	return Text(fence + text + fence)
}
