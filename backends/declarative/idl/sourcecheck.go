package idl

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/gotypes"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// checkSources reports markers without effect: misspelled markers, and markers in places where no
// dialect reads them. It checks whole packages, including types that no root refers to, so all
// mistakes of a package are reported together. Packages of other modules cannot be edited; they
// are checked only if they contain a root.
func (b *builder) checkSources() {
	if b.ignoreUnknown {
		return
	}
	for _, path := range slices.Sorted(maps.Keys(b.sources.Parsed)) {
		p := b.sources.Parsed[path]
		if !b.editable(p) {
			continue
		}
		for _, file := range p.Loaded.Syntax {
			b.checkFile(p, file)
		}
	}
}

func (b *builder) checkFile(p *gotypes.Package, file *ast.File) {
	attached := b.attached(p, file)
	c := b.sources.CommentsOf(p, file)
	for _, group := range file.Comments {
		if insideFunction(file, group) {
			continue
		}
		for _, each := range c.MarkersIn(group) {
			b.checkLine(each, attached[each.At], group.End() < file.Package)
		}
		b.checkBlocks(c, group)
		b.checkWithoutPlus(c, group)
	}
}

// checkLine reports one marker. Wrong arguments are reported when the marker is applied.
func (b *builder) checkLine(each marker.Line, attached, aboveClause bool) {
	_, err := b.read(each)
	var unknown *unknownMarker
	switch {
	case errors.Is(err, marker.ErrOtherTool):
	case errors.As(err, &unknown):
		b.addf(each.At, "%v", err)
	case attached:
		if err != nil {
			b.addf(each.At, "%v", err)
		}
	case aboveClause:
		if !forPackages(each.Text) {
			b.addf(each.At, "%s is above the package clause, where markers are not read; move it to a type or a field",
				shortened(each.Text))
		}
	default:
		b.addf(each.At, "%s is not read here; write it on its own line in the // comment directly above a type or a field that "+
			"is in the JSON", shortened(each.Text))
	}
}

// checkBlocks reports markers in /* comments, which are not read.
func (b *builder) checkBlocks(c *gotypes.Comments, group *ast.CommentGroup) {
	for _, comment := range group.List {
		text, isBlock := strings.CutPrefix(comment.Text, "/*")
		if !isBlock {
			continue
		}
		at := c.Position(comment.Pos())
		for i, each := range strings.Split(strings.TrimSuffix(text, "*/"), "\n") {
			each = strings.TrimLeft(strings.TrimSpace(each), "* ")
			if !strings.HasPrefix(each, "+") {
				continue
			}
			if _, err := b.read(marker.Line{Text: each, Package: c.Package.Path}); !errors.Is(err, marker.ErrOtherTool) {
				b.addf(strictyaml.Position{File: at.File, Line: at.Line + i}, "%s is in a /* comment, where markers are not read; "+
					"use a // comment", shortened(each))
			}
		}
	}
}

// attached returns the markers directly above a type, a field or a constant.
func (b *builder) attached(p *gotypes.Package, file *ast.File) map[strictyaml.Position]bool {
	at := map[strictyaml.Position]bool{}
	add := func(lines []marker.Line) {
		for _, each := range lines {
			at[each.At] = true
		}
	}
	for _, t := range p.Types {
		if t.File != file {
			continue
		}
		add(t.Lines)
		for _, f := range t.Fields {
			add(f.Lines)
		}
	}
	for _, constant := range p.Consts {
		if constant.File == file {
			add(slices.DeleteFunc(slices.Clone(constant.Lines), func(each marker.Line) bool { return !forConstants(each.Text) }))
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if inner, ok := node.(*ast.StructType); ok {
			for _, f := range b.sources.ParseFields(inner, b.sources.CommentsOf(p, file)) {
				add(f.Lines)
			}
		}
		_, function := node.(*ast.FuncDecl)
		return !function
	})
	return at
}

func insideFunction(file *ast.File, group *ast.CommentGroup) bool {
	return slices.ContainsFunc(file.Decls, func(decl ast.Decl) bool {
		function, ok := decl.(*ast.FuncDecl)
		return ok && function.Body != nil && within(function.Body, group.Pos())
	})
}

func within(node ast.Node, at token.Pos) bool { return node.Pos() <= at && at < node.End() }

// checkWithoutPlus reports lines that are markers except for the missing plus sign.
func (b *builder) checkWithoutPlus(c *gotypes.Comments, group *ast.CommentGroup) {
	for _, comment := range group.List {
		text, isLine := strings.CutPrefix(comment.Text, "//")
		if err := b.vocabulary.CheckPlus(strings.TrimSpace(text)); isLine && err != nil {
			b.addf(c.Position(comment.Pos()), "%v", err)
		}
	}
}

// forConstants reports whether a marker of a constant decides whether an enum includes it.
func forConstants(text string) bool {
	name, _ := marker.SplitName(text)
	return slices.Contains([]string{"k8s:enumExclude", "k8s:ifEnabled", "k8s:ifDisabled", "k8s:alpha", "k8s:beta"}, name)
}

// forPackages reports whether a marker applies to all fields of a package.
func forPackages(text string) bool {
	name, _ := marker.SplitName(text)
	return slices.Contains([]string{"kubebuilder:validation:Optional", "kubebuilder:validation:Required", "kubebuilder:skip"}, name)
}

// shortened returns the name of a marker for a message, with an ellipsis for its arguments.
func shortened(text string) string {
	name, rest := marker.SplitName(text)
	if rest == "" {
		return "+" + name
	}
	return fmt.Sprintf("+%s=…", name)
}
