package evidence

import "strings"

// withoutDumps returns a text with a hole for each value that Go's %v wrote into it in braces, as in
// "label selector is not supported for {Group:apps Kind:Deployment}". Counts of regular expressions, "{0,61}", stay.
func withoutDumps(text string) string {
	var out strings.Builder
	for {
		begin := strings.IndexByte(text, '{')
		if begin < 0 {
			return out.String() + text
		}
		end := begin + closing(text[begin:])
		out.WriteString(text[:begin])
		if inside := text[begin:end]; inside == "{}" || strings.ContainsAny(inside, " :\"") {
			out.WriteString(hole)
		} else {
			out.WriteString(inside)
		}
		text = text[end:]
	}
}

// closing returns the length of a text up to the brace that closes the one it begins with. Texts of users may have braces of
// their own: if none closes it, the last one does, or the text ends.
func closing(text string) int {
	depth := 0
	for at := range text {
		switch text[at] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
	if last := strings.LastIndexByte(text, '}'); last >= 0 {
		return last + 1
	}
	return len(text)
}
