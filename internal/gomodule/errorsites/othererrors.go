package errorsites

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// errorFunctions are the functions of other packages that return a new error as the type error, by their full
// names. Functions that return a type of their own, such as *apis.FieldError, are known by the type.
var errorFunctions = []string{
	"errors.New", "fmt.Errorf",
	"github.com/pkg/errors.New", "github.com/pkg/errors.Errorf", "github.com/pkg/errors.Wrap", "github.com/pkg/errors.Wrapf",
	"github.com/pkg/errors.WithMessage", "github.com/pkg/errors.WithMessagef",
}

// The functions of controller-runtime that refuse a request.
const admissionPackage = "sigs.k8s.io/controller-runtime/pkg/webhook/admission"

// refusals are literals that refuse an object without being errors.
var refusals = []string{"k8s.io/apimachinery/pkg/apis/meta/v1.StatusCause"}

// makesOther reports whether an expression makes an error that is not one of package field: a call of a
// function outside of the packages, or a literal.
func (f *finder) makesOther(info *types.Info, e ast.Expr, function *types.Func) bool {
	if made, ok := e.(*ast.CompositeLit); ok {
		t := info.TypeOf(made)
		return t != nil && (isErrorType(t) || slices.Contains(refusals, types.TypeString(types.Unalias(t), nil)))
	}
	if function == nil || function.Pkg() == nil || f.packages[function.Pkg()] != nil {
		return false
	}
	signature := function.Signature()
	if signature.Recv() != nil || signature.Results().Len() != 1 {
		return false // methods such as ViaField and Also change an error
	}
	if function.Pkg().Path() == admissionPackage {
		return function.Name() == "Denied" || function.Name() == "Errored"
	}
	result := types.Unalias(signature.Results().At(0).Type())
	if types.Identical(result, types.Universe.Lookup("error").Type()) {
		return slices.Contains(errorFunctions, function.FullName())
	}
	return isErrorType(result) && !strings.HasPrefix(function.Name(), "Must")
}

// isErrorType reports whether a concrete type, or the pointer to it, is an error.
func isErrorType(t types.Type) bool {
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if _, named := types.Unalias(t).(*types.Named); !named || types.IsInterface(t) {
		return false
	}
	isError := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	return types.Implements(t, isError) || types.Implements(types.NewPointer(t), isError)
}

// patternOfOther returns the message of a plain error.
func (s *scope) patternOfOther(call *ast.CallExpr, function *types.Func) pattern {
	parameters := function.Signature().Params()
	for i := range parameters.Len() {
		switch name := parameters.At(i).Name(); {
		case i >= len(call.Args):
			return pattern{}
		case name == "format":
			if format := s.text(call.Args[i]); len(format) == 1 {
				return pattern{detail: formatted(format[0])}
			}
			return pattern{}
		case name == "text" || name == "message" || name == "reason":
			return pattern{detail: s.text(call.Args[i])}
		}
	}
	return pattern{}
}
