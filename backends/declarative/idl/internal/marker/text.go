package marker

import (
	"strconv"
	"strings"
	"unicode"
)

// Continues reports whether a marker continues on the next line: a quote is open, or the line ends
// with the comma between two arguments. Only text after "=" counts, because prose after a bare
// marker may contain an apostrophe.
func Continues(text string) bool {
	_, arguments, has := strings.Cut(text, "=")
	if !has {
		return false
	}
	rest := arguments
	for rest != "" {
		token, after, closed := NextToken(rest)
		if !closed {
			return true
		}
		if after == "" {
			return token == ","
		}
		rest = strings.TrimLeft(after, " \t\n")
		if rest == "" {
			return token == ","
		}
	}
	return false
}

// NextToken cuts the first token off the arguments of a marker: a quoted text, or one character.
// closed is false if the closing quote is missing.
func NextToken(text string) (token, rest string, closed bool) {
	switch {
	case strings.HasPrefix(text, `"""`):
		return cutQuoted(text, `"""`, false)
	case text[0] == '"':
		return cutQuoted(text, `"`, true)
	case text[0] == '`':
		return cutQuoted(text, "`", false)
	}
	return text[:1], text[1:], true
}

func cutQuoted(text, quote string, escapes bool) (token, rest string, closed bool) {
	for i := len(quote); i < len(text); i++ {
		if escapes && text[i] == '\\' {
			i++
			continue
		}
		if strings.HasPrefix(text[i:], quote) {
			end := i + len(quote)
			return text[:end], text[end:], true
		}
	}
	return text, "", false
}

// Scannable rewrites a marker for the parser of controller-tools, which supports only Go's quotes
// and no line breaks.
func Scannable(text string) string {
	name, rest, has := strings.Cut(text, "=")
	if !has {
		return strings.TrimSpace(text)
	}
	out := strings.Builder{}
	out.WriteString(name + "=")
	for rest != "" {
		token, after, _ := NextToken(rest)
		switch {
		case strings.HasPrefix(token, `"""`) && len(token) >= 6:
			token = strconv.Quote(Dedent(token[3 : len(token)-3]))
		case token[0] == '"':
			token = strings.ReplaceAll(token, "\n", `\n`)
		case token == "\n":
			token = " "
		}
		out.WriteString(token)
		rest = after
	}
	return strings.TrimSpace(out.String())
}

// Dedent removes the common indentation and the leading and trailing blank lines of a text in
// triple quotes.
func Dedent(text string) string {
	lines := strings.Split(strings.Trim(text, " \t\n"), "\n")
	for i, each := range lines {
		lines[i] = strings.TrimRight(each, " \t")
	}
	margin := -1
	for _, each := range lines[1:] { // the first line lost its margin to Trim
		if indent := len(each) - len(strings.TrimLeft(each, " \t")); each != "" && (margin < 0 || indent < margin) {
			margin = indent
		}
	}
	for i := 1; i < len(lines); i++ {
		lines[i] = lines[i][min(max(margin, 0), len(lines[i])):]
	}
	return strings.Join(lines, "\n")
}

// Unquote returns the value of a quoted token of a marker.
func Unquote(token string) (value string, ok bool) {
	switch {
	case strings.HasPrefix(token, `"""`) && len(token) >= 6:
		return Dedent(token[3 : len(token)-3]), true
	case len(token) >= 2 && token[0] == '"':
		value, err := strconv.Unquote(strings.ReplaceAll(token, "\n", `\n`))
		return value, err == nil
	case len(token) >= 2 && token[0] == '`':
		return token[1 : len(token)-1], true
	}
	return "", false
}

// Quote returns a value as a quoted token. It avoids escapes, to keep messages readable.
func Quote(value string) string {
	if strings.ContainsAny(value, "\"\\\n") && !strings.Contains(value, `"""`) && !strings.HasSuffix(value, `"`) {
		return `"""` + value + `"""`
	}
	return strconv.Quote(value)
}

// CutSteps removes prefixes such as "items:" and ".spec.replicas:" from a marker, and splits them
// into steps: "items", "values" or ".name".
func CutSteps(text string) (steps []string, rest string) {
	rest = strings.TrimLeft(text, "+-")
	for {
		prefix, after, ok := strings.Cut(rest, ":")
		if !ok || strings.Contains(prefix, "=") {
			return steps, rest
		}
		switch {
		case prefix == "items" || prefix == "values":
			steps = append(steps, prefix)
		case strings.HasPrefix(prefix, "."):
			for _, name := range strings.Split(prefix[1:], ".") {
				steps = append(steps, "."+name)
			}
		default:
			return steps, rest
		}
		rest = after
	}
}

// SplitName splits a marker after its name: at "=", at an argument in parentheses, or at a space.
func SplitName(text string) (name, rest string) {
	bare := strings.TrimLeft(strings.TrimPrefix(text, "+"), " \t")
	end := strings.IndexFunc(bare, func(r rune) bool { return r == '=' || r == '(' || unicode.IsSpace(r) })
	if end < 0 {
		end = len(bare)
	}
	rest = bare[end:]
	name = bare[:end]
	if strings.HasSuffix(name, ":") && strings.HasPrefix(rest, "=") { // kubebuilder's +name:=value
		name, rest = name[:len(name)-1], ":"+rest
	}
	return strings.TrimSuffix(name, ":"), rest
}
