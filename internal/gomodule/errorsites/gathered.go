package errorsites

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// gatherers are the functions that only put errors together which have sites of their own.
var gatherers = []string{
	"k8s.io/apimachinery/pkg/api/errors.NewInvalid",
	"k8s.io/apimachinery/pkg/util/errors.NewAggregate",
}

// gatherTypes are the types of errors that were put together.
var gatherTypes = []string{fieldPackage + ".ErrorList", "k8s.io/apimachinery/pkg/util/errors.Aggregate"}

// gathers reports whether a call only reports errors that were made before: it puts them together, or it wraps the
// ones that were put together or that a validator returned. Their sites are where they were made.
func (f *finder) gathers(in scope, e ast.Expr, function *types.Func) bool {
	call, isCall := ast.Unparen(e).(*ast.CallExpr)
	if !isCall || function == nil {
		return false
	}
	if slices.Contains(gatherers, function.FullName()) {
		return true
	}
	refusal := function.Pkg() != nil && function.Pkg().Path() == admissionPackage
	return slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return f.gathered(in, arg, refusal) })
}

// gathered reports whether an expression has errors that were put together. For a refusal by controller-runtime,
// it also reports whether it has an error that is made in it, or that a function of the packages, or a validator that
// controller-runtime calls, returned.
func (f *finder) gathered(in scope, e ast.Expr, refusal bool) bool {
	for node := range ast.Preorder(e) {
		part, is := node.(ast.Expr)
		if !is {
			continue
		}
		if t := in.info.TypeOf(part); t != nil && slices.Contains(gatherTypes, types.TypeString(types.Unalias(t), nil)) {
			return true
		}
		if name, is := part.(*ast.Ident); is && in.declared != nil {
			if variable, is := in.info.Uses[name].(*types.Var); is && isErrorInterface(variable.Type()) && f.setTo(in, variable, refusal) {
				return true
			}
		}
		if function := callee(in.info, part); function != nil && (f.returnsMade(function, refusal) || refusal &&
			f.makesOther(in.info, part, function)) {
			return true
		}
	}
	return false
}

// setTo reports whether a function sets a variable to an error that was made before.
func (f *finder) setTo(in scope, variable *types.Var, refusal bool) bool {
	for node := range ast.Preorder(in.declared) {
		set, is := node.(*ast.AssignStmt)
		if !is || set.Tok != token.ASSIGN && set.Tok != token.DEFINE {
			continue
		}
		for i, to := range set.Lhs {
			name, is := to.(*ast.Ident)
			if !is || in.info.Defs[name] != variable && in.info.Uses[name] != variable {
				continue
			}
			value := set.Rhs[min(i, len(set.Rhs)-1)]
			if t := in.info.TypeOf(value); t != nil && slices.Contains(gatherTypes, types.TypeString(types.Unalias(t), nil)) {
				return true
			}
			if function := callee(in.info, value); function != nil && f.returnsMade(function, refusal) {
				return true
			}
		}
	}
	return false
}

// returnsMade reports whether the error that a function returns has a site elsewhere.
func (f *finder) returnsMade(function *types.Func, refusal bool) bool {
	if slices.Contains(gatherers, function.FullName()) {
		return true
	}
	if !refusal || function.Pkg() == nil {
		return false
	}
	results := function.Signature().Results()
	if results.Len() == 0 || !isErrorInterface(results.At(results.Len()-1).Type()) {
		return false
	}
	return f.packages[function.Pkg()] != nil || function.Pkg().Path() == admissionPackage &&
		function.Signature().Recv() != nil && types.IsInterface(function.Signature().Recv().Type())
}

func isErrorInterface(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}
