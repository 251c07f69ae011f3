package overlay

import "strings"

// A reference is "$name", "${name}" or "$name(argument, argument)" in a text.
type reference struct {
	start, end int
	nameEnd    int // before the arguments
	name       string
	arguments  []string
	called     bool
}

// nextReference returns the first reference at or after an index. The escape "$$name" is returned as
// a reference without a name.
func nextReference(text string, from int) (reference, bool) {
	for i := from; i+1 < len(text); i++ {
		if text[i] != '$' {
			continue
		}
		if text[i+1] == '$' && i+2 < len(text) && startsName(text[i+2]) {
			return reference{start: i, end: i + 2}, true
		}
		start, closing := i+1, ""
		if text[start] == '{' {
			start, closing = start+1, "}"
		}
		end := start
		for end < len(text) && (startsName(text[end]) || end > start && text[end] >= '0' && text[end] <= '9') {
			end++
		}
		if end == start || !strings.HasPrefix(text[end:], closing) {
			continue
		}
		found := reference{start: i, end: end + len(closing), nameEnd: end + len(closing), name: text[start:end]}
		if closing == "" && strings.HasPrefix(text[found.end:], "(") {
			if arguments, after, ok := cutArguments(text[found.end:]); ok {
				found.arguments, found.called, found.end = arguments, true, found.end+after
			}
		}
		return found, true
	}
	return reference{}, false
}

func startsName(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// cutArguments splits "(a, b)" at its commas. It skips commas in brackets and in quotes.
func cutArguments(text string) (arguments []string, length int, ok bool) {
	depth, start := 0, 1
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '\'', '"':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
		if closes := depth == 0; i < len(text) && (closes || depth == 1 && text[i] == ',') {
			arguments = append(arguments, strings.TrimSpace(text[start:i]))
			start = i + 1
			if closes {
				return arguments, i + 1, true
			}
		}
	}
	return nil, 0, false
}

// asMembers writes references as members of self, which CEL accepts wherever it accepts an expression.
func asMembers(text string) string {
	var out strings.Builder
	at := 0
	for {
		found, ok := nextReference(text, at)
		if !ok {
			return out.String() + text[at:]
		}
		out.WriteString(text[at:found.start] + "self." + found.name)
		if at = found.end; found.called {
			out.WriteString("(" + asMembers(strings.Join(found.arguments, ", ")) + ")")
		}
	}
}

// openLiteral returns the opening quote of the CEL string literal that a text ends in, or "".
func openLiteral(text string) string {
	open := ""
	for i := 0; i < len(text); i++ {
		switch {
		case open == "":
			open = quoteAt(text, i)
			i += max(len(open)-1, 0)
		case text[i] == '\\' && !strings.HasPrefix(open, "r"):
			i++
		case strings.HasPrefix(text[i:], strings.TrimPrefix(open, "r")):
			i += len(strings.TrimPrefix(open, "r")) - 1
			open = ""
		}
	}
	return open
}

// quoteAt returns the quote that opens a literal at an index, with an r before it for a raw literal.
func quoteAt(text string, i int) string {
	for _, quote := range []string{`'''`, `"""`, `'`, `"`} {
		if strings.HasPrefix(text[i:], quote) {
			if i > 0 && (text[i-1] == 'r' || text[i-1] == 'R') && (i == 1 || !startsName(text[i-2])) {
				return "r" + quote
			}
			return quote
		}
	}
	return ""
}

// escapedFor escapes a value for a literal with this quote.
func escapedFor(quote, value string) string {
	if strings.HasPrefix(quote, "r") {
		return value
	}
	return strings.NewReplacer(`\`, `\\`, quote[:1], `\`+quote[:1], "\n", `\n`).Replace(value)
}
