package errorsites

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Constants are those that the function of a site compares values with, as far as its source says: literals, constants, and the
// elements of variables of its package, such as a set of allowed words. The nearest to the site come first.
type Constants struct {
	Words   []string
	Numbers []int64
}

// Bounds of the constants of a site.
const (
	mostConstants = 24 // of each kind
	longestWord   = 63
)

// constantsOf returns the constants of the function that has an expression.
func (f *finder) constantsOf(p *packages.Package, declared *ast.FuncDecl, e ast.Expr) Constants {
	if declared == nil || declared.Body == nil {
		return Constants{}
	}
	c := &constants{in: p, near: p.Fset.Position(e.Pos()).Line, seen: map[*types.Var]bool{}, variables: f.variables(p)}
	c.collect(declared.Body, 0)
	slices.SortStableFunc(c.all, func(a, b constantAt) int { return cmp.Compare(a.distance, b.distance) })
	var out Constants
	for _, one := range c.all {
		switch one.value.Kind() {
		case constant.String:
			word := constant.StringVal(one.value)
			if isWord := word != "" && len(word) <= longestWord && !strings.ContainsAny(word, " \n%"); isWord &&
				len(out.Words) < mostConstants && !slices.Contains(out.Words, word) {
				out.Words = append(out.Words, word)
			}
		case constant.Int:
			n, exact := constant.Int64Val(one.value)
			if exact && len(out.Numbers) < mostConstants && !slices.Contains(out.Numbers, n) {
				out.Numbers = append(out.Numbers, n)
			}
		}
	}
	return out
}

// variables returns the initial values of the variables of a package.
func (f *finder) variables(p *packages.Package) map[*types.Var]ast.Expr {
	if known := f.initial[p]; known != nil {
		return known
	}
	found := map[*types.Var]ast.Expr{}
	for _, file := range p.Syntax {
		for _, declaration := range file.Decls {
			general, is := declaration.(*ast.GenDecl)
			if !is || general.Tok != token.VAR {
				continue
			}
			for _, spec := range general.Specs {
				values := spec.(*ast.ValueSpec)
				for i, name := range values.Names {
					if variable, is := p.TypesInfo.Defs[name].(*types.Var); is && len(values.Values) == len(values.Names) {
						found[variable] = values.Values[i]
					}
				}
			}
		}
	}
	f.initial[p] = found
	return found
}

// constants collects the constants of a function.
type constants struct {
	in        *packages.Package
	near      int // the line of the site
	variables map[*types.Var]ast.Expr
	seen      map[*types.Var]bool
	all       []constantAt
}

// constantAt is a constant with its distance to the site, in lines.
type constantAt struct {
	value    constant.Value
	distance int
}

// collect adds the constants of a node. At is the line from which a variable is read; zero: that of each constant.
func (c *constants) collect(node ast.Node, at int) {
	ast.Inspect(node, func(node ast.Node) bool {
		e, is := node.(ast.Expr)
		if !is {
			return true
		}
		if function := callee(c.in.TypesInfo, e); function != nil && ofFieldPackage(function) {
			return false // names of fields, and texts of errors
		}
		line := cmp.Or(at, c.in.Fset.Position(e.Pos()).Line)
		if selector, is := e.(*ast.SelectorExpr); is && ofFieldPackage(c.in.TypesInfo.Uses[selector.Sel]) {
			return false // types of errors
		}
		if value := c.in.TypesInfo.Types[e].Value; value != nil {
			c.all = append(c.all, constantAt{value, max(line-c.near, c.near-line)})
			return false
		}
		if name, is := e.(*ast.Ident); is {
			variable, _ := c.in.TypesInfo.Uses[name].(*types.Var)
			if initial := c.variables[variable]; initial != nil && !c.seen[variable] {
				c.seen[variable] = true
				c.collect(initial, line)
			}
		}
		return true
	})
}

func ofFieldPackage(object types.Object) bool {
	return object != nil && object.Pkg() != nil && object.Pkg().Path() == fieldPackage
}
