package errorsites

import (
	"go/ast"
	"go/types"
	"iter"

	"golang.org/x/tools/go/packages"
)

// functionsOf returns the functions of a package that have a body.
func functionsOf(p *packages.Package) iter.Seq[*ast.FuncDecl] {
	return func(yield func(*ast.FuncDecl) bool) {
		for _, file := range p.Syntax {
			for _, declaration := range file.Decls {
				if declared, ok := declaration.(*ast.FuncDecl); ok && declared.Body != nil && !yield(declared) {
					return
				}
			}
		}
	}
}

// calledBy returns each function that a package calls, once for each call.
func calledBy(p *packages.Package) iter.Seq[*types.Func] {
	return func(yield func(*types.Func) bool) {
		for _, file := range p.Syntax {
			for node := range ast.Preorder(file) {
				if call, ok := node.(*ast.CallExpr); ok {
					if function := callee(p.TypesInfo, call); function != nil && !yield(function) {
						return
					}
				}
			}
		}
	}
}

// functionName returns the name of a function, with that of its receiver.
func functionName(declared *ast.FuncDecl) string {
	if declared == nil {
		return ""
	}
	if declared.Recv == nil || len(declared.Recv.List) == 0 {
		return declared.Name.Name
	}
	receiver := declared.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	if generic, ok := receiver.(*ast.IndexExpr); ok {
		receiver = generic.X
	}
	if name, ok := receiver.(*ast.Ident); ok {
		return name.Name + "." + declared.Name.Name
	}
	return declared.Name.Name
}
