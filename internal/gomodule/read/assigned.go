package read

import (
	"go/ast"
	"go/types"
)

// assigned returns the variables that statements assign, and that are declared outside of them.
func (a *activation) assigned(body *ast.BlockStmt) []types.Object {
	var all []types.Object
	seen := map[types.Object]bool{}
	add := func(e ast.Expr) {
		name := rootName(e)
		if name == nil {
			return
		}
		o := a.info.ObjectOf(name)
		if o != nil && !seen[o] && (o.Pos() < body.Pos() || o.Pos() > body.End()) {
			seen[o] = true
			all = append(all, o)
		}
	}
	for node := range ast.Preorder(body) {
		switch st := node.(type) {
		case *ast.AssignStmt:
			for _, to := range st.Lhs {
				add(to)
			}
		case *ast.IncDecStmt:
			add(st.X)
		case *ast.CallExpr:
			if of, ok := st.Fun.(*ast.SelectorExpr); ok && (of.Sel.Name == "Insert" || of.Sel.Name == "Delete") {
				add(of.X)
			}
		}
	}
	return all
}

// fills reports whether statements put something into a collection that is declared outside of them.
func (a *activation) fills(body *ast.BlockStmt) bool {
	for node := range ast.Preorder(body) {
		switch st := node.(type) {
		case *ast.AssignStmt:
			for i, to := range st.Lhs {
				if _, ok := to.(*ast.IndexExpr); ok {
					return true
				}
				if len(st.Rhs) == len(st.Lhs) && a.appends(st.Rhs[i]) {
					return true
				}
			}
		case *ast.IncDecStmt:
			if _, ok := st.X.(*ast.IndexExpr); ok {
				return true
			}
		case *ast.CallExpr:
			if of, ok := st.Fun.(*ast.SelectorExpr); ok && of.Sel.Name == "Insert" {
				return true
			}
		}
	}
	return false
}

// appends reports whether an expression is a list with more items, which are no errors.
func (a *activation) appends(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	name, ok := call.Fun.(*ast.Ident)
	return ok && name.Name == "append" && !isErrors(a.info.TypeOf(e))
}

// rootName returns the variable of which an expression is a part.
func rootName(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return rootName(e.X)
	case *ast.IndexExpr:
		return rootName(e.X)
	case *ast.StarExpr:
		return rootName(e.X)
	}
	return nil
}
