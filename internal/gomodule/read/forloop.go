package read

import (
	"go/ast"
	"go/token"
	"go/types"
)

// counted returns a loop such as for i := 0; i < len(list); i++ as a range, and where it begins, if it is not zero; nil: it is another
// one.
func counted(info *types.Info, st *ast.ForStmt) (over *ast.RangeStmt, from ast.Expr) {
	init, ok := st.Init.(*ast.AssignStmt)
	if !ok || len(init.Lhs) != 1 || len(init.Rhs) != 1 || init.Tok != token.DEFINE {
		return nil, nil
	}
	less, ok := st.Cond.(*ast.BinaryExpr)
	step, isStep := st.Post.(*ast.IncDecStmt)
	if !ok || less.Op != token.LSS || !isStep || step.Tok != token.INC || assigns(info, st.Body, info.ObjectOf(init.Lhs[0].(*ast.Ident))) ||
		!isVariable(info, less.X, init.Lhs[0]) || !isVariable(info, step.X, init.Lhs[0]) {
		return nil, nil
	}
	if start := info.Types[init.Rhs[0]].Value; start == nil || start.ExactString() != "0" {
		from = init.Rhs[0]
	}
	made := &ast.RangeStmt{For: st.For, Key: init.Lhs[0], Tok: token.DEFINE, Body: st.Body}
	if info.Types[less.Y].Value != nil && from == nil {
		made.X = less.Y
		return made, nil
	}
	size, ok := less.Y.(*ast.CallExpr)
	if !ok || len(size.Args) != 1 || from != nil && !isAfter(info, from) {
		return nil, nil
	}
	if name, ok := size.Fun.(*ast.Ident); !ok || name.Name != "len" {
		return nil, nil
	}
	made.X = size.Args[0]
	return made, from
}

// isVariable reports whether an expression is a variable.
func isVariable(info *types.Info, e, of ast.Expr) bool {
	name, ok := ast.Unparen(e).(*ast.Ident)
	return ok && info.ObjectOf(name) == info.ObjectOf(of.(*ast.Ident))
}

// isAfter reports whether the index at which a loop begins is not below zero: a constant, or one more than a variable.
func isAfter(info *types.Info, from ast.Expr) bool {
	if n := info.Types[from].Value; n != nil {
		return n.ExactString()[0] != '-'
	}
	sum, ok := ast.Unparen(from).(*ast.BinaryExpr)
	return ok && sum.Op == token.ADD && info.Types[sum.Y].Value != nil && info.Types[sum.Y].Value.ExactString()[0] != '-'
}

// assigns reports whether statements assign a variable.
func assigns(info *types.Info, body *ast.BlockStmt, o types.Object) bool {
	found := false
	is := func(e ast.Expr) {
		name, ok := ast.Unparen(e).(*ast.Ident)
		found = found || ok && info.ObjectOf(name) == o
	}
	for node := range ast.Preorder(body) {
		switch st := node.(type) {
		case *ast.AssignStmt:
			for _, to := range st.Lhs {
				is(to)
			}
		case *ast.IncDecStmt:
			is(st.X)
		case *ast.UnaryExpr:
			if st.Op == token.AND {
				is(st.X)
			}
		}
	}
	return found
}

// isUnnamed reports whether a loop has no variable for something.
func isUnnamed(e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	return e == nil || ok && name.Name == "_"
}
