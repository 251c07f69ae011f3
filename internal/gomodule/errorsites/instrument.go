package errorsites

import (
	"cmp"
	_ "embed"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/diffrun/diffrun/internal/gomodule/gotool"
)

// Place is a place in the source of a program that counts how often it is executed.
type Place struct {
	// Site is the site that makes an error there; for other places, only its Package, File, Line, Column and
	// Function are set.
	Site
	// Branch is true if the place is the begin of a block, and false for a site.
	Branch bool
	// function is the number of the function in the call graph of the program.
	function int
}

// instrumenter puts counters into the sources of packages.
type instrumenter struct {
	*finder
	graph   *callGraph
	reached map[int]bool // functions by their numbers
	// places are those that are counted, in the order of their numbers.
	places []Place
}

// insertion is a text to insert into a file, at a position of its syntax.
type insertion struct {
	at   int
	text string
}

// file rewrites a file. It returns nil if nothing is counted there. Each line stays on its line.
func (i *instrumenter) file(p *packages.Package, file *ast.File, source []byte) []byte {
	if ast.IsGenerated(file) || slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"C"` }) {
		return nil
	}
	w := &fileWriter{instrumenter: i, in: p, sites: map[ast.Expr]*foundSite{}}
	for n := range i.found {
		if site := &i.found[n]; site.in == p && site.within != nil {
			w.sites[site.expr] = site
		}
	}
	for _, declaration := range file.Decls {
		declared, ok := declaration.(*ast.FuncDecl)
		if !ok || declared.Body == nil {
			continue
		}
		if function, ok := p.TypesInfo.Defs[declared.Name].(*types.Func); ok && i.reached[i.graph.numbers[function]] {
			w.number = i.graph.numbers[function]
			w.function(declared)
		}
	}
	if len(w.insertions) == 0 {
		return nil
	}
	slices.SortStableFunc(w.insertions, func(a, b insertion) int { return cmp.Compare(a.at, b.at) })
	var out []byte
	last := 0
	for _, one := range w.insertions {
		out = append(append(out, source[last:one.at]...), one.text...)
		last = one.at
	}
	return append(out, source[last:]...)
}

// fileWriter collects the insertions into a file.
type fileWriter struct {
	*instrumenter
	in         *packages.Package
	sites      map[ast.Expr]*foundSite
	declared   *ast.FuncDecl
	number     int // of the function
	insertions []insertion
}

func (w *fileWriter) insert(at int, format string, args ...any) {
	w.insertions = append(w.insertions, insertion{at, fmt.Sprintf(format, args...)})
}

// offset returns the offset of a position in its file.
func (w *fileWriter) offset(node ast.Node, end bool) int {
	at := node.Pos()
	if end {
		at = node.End()
	}
	return w.in.Fset.PositionFor(at, false).Offset
}

// function counts the blocks and the sites of a function.
func (w *fileWriter) function(declared *ast.FuncDecl) {
	w.declared = declared
	var parents []ast.Node
	ast.Inspect(declared.Body, func(node ast.Node) bool {
		if node == nil {
			parents = parents[:len(parents)-1]
			return true
		}
		w.block(node, parents)
		if e, ok := node.(ast.Expr); ok && w.sites[e] != nil {
			w.site(e, parents)
		}
		parents = append(parents, node)
		return true
	})
}

// block counts a block or a clause.
func (w *fileWriter) block(node ast.Node, parents []ast.Node) {
	switch node := node.(type) {
	case *ast.BlockStmt:
		if len(parents) > 0 {
			switch parents[len(parents)-1].(type) {
			case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				return // its statements are clauses
			}
		}
		w.branch(node, int(node.Lbrace-node.Pos())+1)
	case *ast.CaseClause:
		w.branch(node, int(node.Colon-node.Pos())+1)
	case *ast.CommClause:
		w.branch(node, int(node.Colon-node.Pos())+1)
	}
}

// branch counts a place within a node.
func (w *fileWriter) branch(node ast.Node, within int) {
	at := w.in.Fset.Position(node.Pos())
	place := Place{Branch: true, function: w.number, Site: Site{
		Package: w.in.PkgPath, File: w.in.PkgPath + "/" + filepath.Base(at.Filename), Line: at.Line, Column: at.Column,
		Function: functionName(w.declared),
	}}
	w.insert(w.offset(node, false)+within, " diffrunRan(%d);", len(w.places))
	w.places = append(w.places, place)
}

// site counts a site: the expression, if it makes an error other than nil, or else its statement.
func (w *fileWriter) site(e ast.Expr, parents []ast.Node) {
	whole, parent := ast.Node(e), parents[len(parents)-1]
	if address, ok := parent.(*ast.UnaryExpr); ok {
		whole, parent = address, parents[len(parents)-2]
	}
	if call, ok := e.(*ast.CompositeLit); ok && call.Type == nil {
		if whole = statement(parents); whole == nil {
			return
		}
		w.insert(w.offset(whole, false), "diffrunRan(%d); ", len(w.places))
		w.places = append(w.places, Place{Site: w.sites[e].Site, function: w.number})
		return
	}
	switch parent.(type) {
	case *ast.GoStmt, *ast.DeferStmt:
		return // the call is not evaluated there
	}
	function := "diffrunValue"
	switch t := w.in.TypesInfo.TypeOf(whole.(ast.Expr)); {
	case types.IsInterface(t):
		function = "diffrunError"
	case isPointer(t):
		function = "diffrunPointer"
	}
	w.insert(w.offset(whole, false), "%s(%d, ", function, len(w.places))
	w.insert(w.offset(whole, true), ")")
	w.places = append(w.places, Place{Site: w.sites[e].Site, function: w.number})
}

func isPointer(t types.Type) bool {
	_, is := types.Unalias(t).(*types.Pointer)
	return is
}

// statement returns the innermost statement of a list of statements.
func statement(parents []ast.Node) ast.Node {
	for n := len(parents) - 1; n > 0; n-- {
		switch parents[n-1].(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			if one, ok := parents[n].(ast.Stmt); ok {
				return one
			}
		}
	}
	return nil
}

//go:embed counters.go.tmpl
var countersFile string

// put puts counters into all packages, by an overlay. It returns the counted places.
func (f *finder) put(overlay *gotool.Overlay) (*program, error) {
	i := &instrumenter{finder: f, graph: f.graph()}
	i.reached = i.graph.closure(f.starts(i.graph))
	counting := map[string]string{} // the names of packages by their folders
	for _, p := range f.loaded {
		for n, file := range p.Syntax {
			name := p.CompiledGoFiles[n]
			if !slices.Contains(p.GoFiles, name) {
				continue // the go command made it
			}
			source, err := overlay.Read(name)
			if err != nil {
				return nil, err
			}
			rewritten := i.file(p, file, source)
			if rewritten == nil {
				continue
			}
			counting[filepath.Dir(name)] = p.Name
			if err := overlay.Put(name, rewritten); err != nil {
				return nil, err
			}
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(counting)) {
		text := strings.NewReplacer("PACKAGE", counting[dir], "ALL", fmt.Sprint(len(i.places))).Replace(countersFile)
		if err := overlay.Put(filepath.Join(dir, "diffrun_counters.go"), []byte(text)); err != nil {
			return nil, err
		}
	}
	return &program{places: i.places, graph: i.graph}, nil
}
