package errorsites

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
)

// reachable returns the functions of the packages that validators can call, with the validators. Without
// validators it returns those that the main functions can call. A call of a method of an interface may be one of
// any method with the name.
func (f *finder) reachable() map[*types.Func]bool {
	calls, methods := f.calls()
	starts := f.starts(isValidator)
	if len(starts) == 0 {
		starts = f.starts(func(function *types.Func) bool {
			return function.Name() == "main" && function.Pkg().Name() == "main" && function.Signature().Recv() == nil
		})
	}
	reached := map[*types.Func]bool{}
	for len(starts) > 0 {
		function := starts[len(starts)-1]
		starts = starts[:len(starts)-1]
		if reached[function] {
			continue
		}
		reached[function] = true
		for _, called := range calls[function] {
			starts = append(starts, called)
			if recv := called.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
				starts = append(starts, methods[called.Name()]...)
			}
		}
	}
	return reached
}

// starts returns the declared functions for which is returns true.
func (f *finder) starts(is func(*types.Func) bool) (all []*types.Func) {
	f.eachFunction(func(_ *packages.Package, function *types.Func, _ *ast.FuncDecl) {
		if is(function) {
			all = append(all, function)
		}
	})
	return all
}

// eachFunction calls a function for each function with a body.
func (f *finder) eachFunction(call func(*packages.Package, *types.Func, *ast.FuncDecl)) {
	for _, p := range f.loaded {
		for declared := range functionsOf(p) {
			if function, ok := p.TypesInfo.Defs[declared.Name].(*types.Func); ok {
				call(p, function, declared)
			}
		}
	}
}

// calls returns the functions that each function mentions, and all methods by their names.
func (f *finder) calls() (calls map[*types.Func][]*types.Func, methods map[string][]*types.Func) {
	calls, methods = map[*types.Func][]*types.Func{}, map[string][]*types.Func{}
	f.eachFunction(func(p *packages.Package, function *types.Func, declared *ast.FuncDecl) {
		if function.Signature().Recv() != nil {
			methods[function.Name()] = append(methods[function.Name()], function)
		}
		for node := range ast.Preorder(declared.Body) {
			if name, ok := node.(*ast.Ident); ok {
				if used, ok := p.TypesInfo.Uses[name].(*types.Func); ok {
					calls[function] = append(calls[function], used.Origin())
				}
			}
		}
	})
	return calls, methods
}

// validatorResults are the result types that make a function a validator, without pointers and lists.
var validatorResults = map[string]bool{
	fieldPackage + ".ErrorList":                        true,
	fieldPackage + ".Error":                            true,
	"k8s.io/apimachinery/pkg/apis/meta/v1.StatusCause": true,
	"knative.dev/pkg/apis.FieldError":                  true,
	admissionPackage + ".Response":                     true,
	"k8s.io/api/admission/v1.AdmissionResponse":        true,
	"k8s.io/api/admission/v1beta1.AdmissionResponse":   true,
}

// isValidator reports whether the results of a function, or the name of a method, are those of a validator or
// of a webhook that sets defaults.
func isValidator(function *types.Func) bool {
	results := function.Signature().Results()
	for i := range results.Len() {
		t := types.Unalias(results.At(i).Type())
		if list, ok := t.(*types.Slice); ok {
			t = types.Unalias(list.Elem())
		}
		if pointer, ok := t.(*types.Pointer); ok {
			t = types.Unalias(pointer.Elem())
		}
		if validatorResults[types.TypeString(t, nil)] {
			return true
		}
	}
	if function.Signature().Recv() == nil || results.Len() == 0 || results.At(results.Len()-1).Type().String() != "error" {
		return false
	}
	return strings.HasPrefix(function.Name(), "Validate") || function.Name() == "Default"
}
