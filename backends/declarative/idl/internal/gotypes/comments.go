package gotypes

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// Comments finds the markers above each declaration of a file.
type Comments struct {
	sources *Sources
	Package *Package
	groups  []*ast.CommentGroup
}

func (s *Sources) CommentsOf(p *Package, file *ast.File) *Comments {
	return &Comments{sources: s, Package: p, groups: file.Comments}
}

func (c *Comments) Position(pos token.Pos) strictyaml.Position { return c.sources.Position(pos) }

// above returns the markers between the previous declaration and this one: those in the doc
// comment, if there is one, and in one comment group above it, where gengo and controller-tools also look. A comment
// at the end of the previous declaration's last line is ignored.
func (c *Comments) above(start, end token.Pos) []marker.Line {
	var groups []*ast.CommentGroup
	for _, group := range c.groups {
		if group.Pos() >= end && group.End() <= start && c.Position(group.Pos()).Line > c.Position(end).Line {
			groups = append(groups, group)
		}
	}
	read := 1
	if last := len(groups) - 1; last >= 0 && c.Position(groups[last].End()).Line+1 >= c.Position(start).Line {
		read = 2 // the last is the doc comment
	}
	groups = groups[max(0, len(groups)-read):]
	var lines []marker.Line
	for _, group := range groups {
		lines = append(lines, c.MarkersIn(group)...)
	}
	return lines
}

func (c *Comments) MarkersIn(group *ast.CommentGroup) []marker.Line {
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
			lines = append(lines, marker.Line{At: c.Position(comment.Pos()), Text: trimmed, Package: c.Package.Path})
			open = marker.Continues(trimmed)
		}
	}
	return lines
}
