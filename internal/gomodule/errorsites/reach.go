package errorsites

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// callGraph says which functions of packages may call each other. Functions have numbers.
type callGraph struct {
	numbers map[*types.Func]int
	calls   [][]int
}

// closure returns the functions that some functions may call, with these.
func (g *callGraph) closure(starts []int) map[int]bool {
	reached, next := map[int]bool{}, slices.Clone(starts)
	for len(next) > 0 {
		one := next[len(next)-1]
		next = next[:len(next)-1]
		if !reached[one] {
			reached[one] = true
			next = append(next, g.calls[one]...)
		}
	}
	return reached
}

// graph returns the calls of the packages, as far as functions mention each other. A call of a method of an
// interface may be one of any method with the name. The validators of one type belong together: if one runs,
// a request can call the others.
func (f *finder) graph() *callGraph {
	g := &callGraph{numbers: map[*types.Func]int{}}
	methods, together := map[string][]int{}, map[string][]int{}
	f.eachFunction(func(_ *packages.Package, function *types.Func, _ *ast.FuncDecl) {
		n := len(g.numbers)
		g.numbers[function] = n
		if recv := function.Signature().Recv(); recv != nil {
			methods[function.Name()] = append(methods[function.Name()], n)
			if isValidator(function) {
				together[recv.Type().String()] = append(together[recv.Type().String()], n)
			}
		}
	})
	g.calls = make([][]int, len(g.numbers))
	f.eachFunction(func(p *packages.Package, function *types.Func, declared *ast.FuncDecl) {
		n := g.numbers[function]
		if recv := function.Signature().Recv(); recv != nil && isValidator(function) {
			g.calls[n] = append(g.calls[n], together[recv.Type().String()]...)
		}
		for node := range ast.Preorder(declared.Body) {
			name, _ := node.(*ast.Ident)
			if name == nil {
				continue
			}
			used, _ := p.TypesInfo.Uses[name].(*types.Func)
			if used == nil {
				continue
			}
			if called, ok := g.numbers[used.Origin()]; ok {
				g.calls[n] = append(g.calls[n], called)
			}
			if recv := used.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
				g.calls[n] = append(g.calls[n], methods[used.Name()]...)
			}
		}
	})
	return g
}

// starts returns the validators; without any, the main functions.
func (f *finder) starts(g *callGraph) (starts []int) {
	for _, is := range []func(*types.Func) bool{isValidator, func(function *types.Func) bool {
		return function.Name() == "main" && function.Pkg().Name() == "main" && function.Signature().Recv() == nil
	}} {
		f.eachFunction(func(_ *packages.Package, function *types.Func, _ *ast.FuncDecl) {
			if is(function) {
				starts = append(starts, g.numbers[function])
			}
		})
		if len(starts) > 0 {
			break
		}
	}
	return starts
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
