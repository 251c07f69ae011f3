package idl

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/internal/strictyaml"
)

// line is one marker as it was written, joined when it goes over several lines,
// without the comment slashes.
type line struct {
	at      strictyaml.Position
	text    string
	overlay bool // written in an overlay, not in the Go source
}

// comments finds the marker lines of a declaration in one file.
type comments struct {
	sources *sources
	groups  []*ast.CommentGroup
}

func (s *sources) commentsOf(file *ast.File) *comments {
	return &comments{sources: s, groups: file.Comments}
}

func (c *comments) position(pos token.Pos) strictyaml.Position { return c.sources.position(pos) }

// above collects the markers between the end of the declaration before and the
// start of this one: its doc comment and one group above it, which is where
// gengo and controller-tools look too. A comment at the end of the previous
// declaration's last line belongs to that one and is not looked at.
func (c *comments) above(start, end token.Pos) []line {
	var groups []*ast.CommentGroup
	for _, group := range c.groups {
		if group.Pos() >= end && group.End() <= start && c.position(group.Pos()).Line > c.position(end).Line {
			groups = append(groups, group)
		}
	}
	if len(groups) > 2 {
		groups = groups[len(groups)-2:]
	}
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
			lines = append(lines, line{at: c.position(comment.Pos()), text: trimmed})
			open = goesOn(trimmed)
		}
	}
	return lines
}

// goesOn says whether a marker continues on the next line: a quote is open, or
// it ends in the comma between two arguments. Prose after a bare marker can
// hold an apostrophe, so only what stands behind "=" counts.
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

// nextToken cuts a quoted text or one other character off the arguments of a
// marker; closed is false when a quote does not end.
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

// scannable rewrites a marker for controller-tools' parser, which knows Go's
// quotes only and no line break inside or outside of them.
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

// dedent takes the margin that all lines share, and blank lines at both ends,
// off a text in triple quotes.
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
