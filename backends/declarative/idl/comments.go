package idl

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// line is one marker without the comment slashes. A marker over several lines is joined.
type line struct {
	at      strictyaml.Position
	text    string
	in      string // the import path of the package in whose source it is written
	overlay bool   // written in an overlay, not in the Go source
	bundled bool   // in an overlay that is bundled
	// used is the place in a type that uses the set in which the line stands. It is the zero
	// Position for a line that stands at its type or field.
	used strictyaml.Position
	// expanded says that text is not what the file has: expressions and parameters are replaced.
	expanded bool
	// gate is the option under which the line of an overlay holds.
	gate gate
	// except are the subresources in whose requests a rule of an overlay does not hold, if it does
	// not say itself in which it does.
	except []string
}

// comments finds the markers above each declaration of a file.
type comments struct {
	sources *sources
	in      *goPackage
	groups  []*ast.CommentGroup
}

func (s *sources) commentsOf(p *goPackage, file *ast.File) *comments {
	return &comments{sources: s, in: p, groups: file.Comments}
}

func (c *comments) position(pos token.Pos) strictyaml.Position { return c.sources.position(pos) }

// above returns the markers between the previous declaration and this one: those in the doc
// comment, if there is one, and in one comment group above it, where gengo and controller-tools also look. A comment
// at the end of the previous declaration's last line is ignored.
func (c *comments) above(start, end token.Pos) []line {
	var groups []*ast.CommentGroup
	for _, group := range c.groups {
		if group.Pos() >= end && group.End() <= start && c.position(group.Pos()).Line > c.position(end).Line {
			groups = append(groups, group)
		}
	}
	read := 1
	if last := len(groups) - 1; last >= 0 && c.position(groups[last].End()).Line+1 >= c.position(start).Line {
		read = 2 // the last is the doc comment
	}
	groups = groups[max(0, len(groups)-read):]
	var lines []line
	for _, group := range groups {
		lines = append(lines, c.markersIn(group)...)
	}
	return lines
}

func (c *comments) markersIn(group *ast.CommentGroup) []line {
	var lines []line
	open := false
	for _, comment := range group.List {
		text, isLine := strings.CutPrefix(comment.Text, "//")
		if !isLine {
			continue
		}
		trimmed := strings.TrimSpace(text)
		switch {
		case open:
			last := &lines[len(lines)-1]
			last.text += "\n" + trimmed
			open = goesOn(last.text)
		case strings.HasPrefix(trimmed, "+"):
			lines = append(lines, line{at: c.position(comment.Pos()), text: trimmed, in: c.in.path})
			open = goesOn(trimmed)
		}
	}
	return lines
}

// goesOn reports whether a marker continues on the next line: a quote is open, or the line ends
// with the comma between two arguments. Only text after "=" counts, because prose after a bare
// marker may contain an apostrophe.
func goesOn(text string) bool {
	_, arguments, has := strings.Cut(text, "=")
	if !has {
		return false
	}
	rest := arguments
	for rest != "" {
		token, after, closed := nextToken(rest)
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

// nextToken cuts a quoted text, or one other character, off the arguments of a marker. closed is
// false if the closing quote is missing.
func nextToken(text string) (token, rest string, closed bool) {
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

// scannable rewrites a marker for the parser of controller-tools, which supports only Go's quotes
// and no line breaks.
func scannable(text string) string {
	name, rest, has := strings.Cut(text, "=")
	if !has {
		return strings.TrimSpace(text)
	}
	out := strings.Builder{}
	out.WriteString(name + "=")
	for rest != "" {
		token, after, _ := nextToken(rest)
		switch {
		case strings.HasPrefix(token, `"""`) && len(token) >= 6:
			token = strconv.Quote(dedent(token[3 : len(token)-3]))
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

// dedent removes the common indentation and the leading and trailing blank lines of a text in
// triple quotes.
func dedent(text string) string {
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
