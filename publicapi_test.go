package diffrun_test

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestNoInternalTypes checks that the exported declarations of public packages name no type of an internal
// package: users could neither write such a type nor read its documentation.
func TestNoInternalTypes(t *testing.T) {
	exported := 0
	for _, pkg := range publicPackages(t) {
		w := &leakWalk{}
		scope := pkg.Scope()
		for _, name := range scope.Names() {
			if object := scope.Lookup(name); object.Exported() {
				exported++
				w.declaration(object)
			}
		}
		for _, leak := range w.leaks {
			t.Errorf("%s.%s: use a public type, or do not export the declaration", strings.TrimPrefix(pkg.Path(), module+"/"), leak)
		}
	}
	if exported < 100 {
		t.Fatalf("only %d exported declarations found", exported)
	}
}

// leakWalk looks for internal types in the exported declarations of a package.
type leakWalk struct {
	at    []string // the declaration, and the field or method inside it
	leaks []string
}

// declaration checks the parts of an exported object that users see.
func (w *leakWalk) declaration(object types.Object) {
	w.inside(object.Name(), func() {
		name, isType := object.(*types.TypeName)
		if !isType {
			w.typ(object.Type())
			return
		}
		if alias, ok := name.Type().(*types.Alias); ok {
			w.typ(alias.Rhs())
			return
		}
		named := name.Type().(*types.Named)
		w.typeParameters(named.TypeParams())
		w.typ(named.Underlying())
		for method := range named.Methods() {
			if method.Exported() {
				w.inside(method.Name(), func() { w.typ(method.Type()) })
			}
		}
	})
}

func (w *leakWalk) inside(name string, do func()) {
	w.at = append(w.at, name)
	do()
	w.at = w.at[:len(w.at)-1]
}

func (w *leakWalk) typ(of types.Type) {
	switch of := of.(type) {
	case *types.Alias:
		w.name(of.Obj())
		w.arguments(of.TypeArgs())
	case *types.Named:
		w.name(of.Obj())
		w.arguments(of.TypeArgs())
	case *types.Pointer:
		w.typ(of.Elem())
	case *types.Slice:
		w.typ(of.Elem())
	case *types.Array:
		w.typ(of.Elem())
	case *types.Chan:
		w.typ(of.Elem())
	case *types.Map:
		w.typ(of.Key())
		w.typ(of.Elem())
	case *types.Signature:
		w.typeParameters(of.TypeParams())
		w.typ(of.Params())
		w.typ(of.Results())
	case *types.Tuple:
		for v := range of.Variables() {
			w.typ(v.Type())
		}
	case *types.Struct:
		for field := range of.Fields() {
			if field.Exported() || field.Embedded() {
				w.inside(field.Name(), func() { w.typ(field.Type()) })
			}
		}
	case *types.Interface:
		for method := range of.ExplicitMethods() {
			w.inside(method.Name(), func() { w.typ(method.Type()) })
		}
		for embedded := range of.EmbeddedTypes() {
			w.typ(embedded)
		}
	}
}

func (w *leakWalk) typeParameters(list *types.TypeParamList) {
	for parameter := range list.TypeParams() {
		w.typ(parameter.Constraint())
	}
}

func (w *leakWalk) arguments(list *types.TypeList) {
	for argument := range list.Types() {
		w.typ(argument)
	}
}

// name records a type that is declared in an internal package of the module.
func (w *leakWalk) name(object *types.TypeName) {
	pkg := object.Pkg()
	if pkg == nil || !strings.HasPrefix(pkg.Path(), module) || !isInternal(pkg.Path()) {
		return
	}
	leak := fmt.Sprintf("%s names %s.%s", strings.Join(w.at, "."), strings.TrimPrefix(pkg.Path(), module+"/"), object.Name())
	if !slices.Contains(w.leaks, leak) {
		w.leaks = append(w.leaks, leak)
	}
}

func isInternal(importPath string) bool {
	return slices.Contains(strings.Split(importPath, "/"), "internal")
}

// publicPackages returns the packages of the module that users can import.
func publicPackages(t *testing.T) []*types.Package {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{
		Context: t.Context(),
		Mode:    packages.NeedName | packages.NeedTypes | packages.NeedFiles,
	}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	var public []*types.Package
	for _, pkg := range loaded {
		for _, err := range pkg.Errors {
			t.Errorf("%s: %v", pkg.PkgPath, err)
		}
		for _, file := range pkg.GoFiles {
			dependOn(t, file)
		}
		if pkg.Types != nil && pkg.Name != "main" && !isInternal(pkg.PkgPath) {
			public = append(public, pkg.Types)
		}
	}
	return public
}
