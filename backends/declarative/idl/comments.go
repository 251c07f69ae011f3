package idl

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

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
func (c *comments) above(start, end token.Pos) []marker.Line {
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
	var lines []marker.Line
	for _, group := range groups {
		lines = append(lines, c.markersIn(group)...)
	}
	return lines
}

func (c *comments) markersIn(group *ast.CommentGroup) []marker.Line {
	var lines []marker.Line
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
			last.Text += "\n" + trimmed
			open = marker.Continues(last.Text)
		case strings.HasPrefix(trimmed, "+"):
			lines = append(lines, marker.Line{At: c.position(comment.Pos()), Text: trimmed, Package: c.in.path})
			open = marker.Continues(trimmed)
		}
	}
	return lines
}
