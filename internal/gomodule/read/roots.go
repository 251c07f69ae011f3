package read

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// Root is a function that is given an object and returns errors.
type Root struct {
	Func *types.Func
	// Object is the type of the object.
	Object types.Type
	// Operation is CREATE, UPDATE or empty, for both.
	Operation string
	// object and old are the parameters with them; -1: there is none.
	object, old int
	// isMethod: the receiver is the object.
	isMethod bool
}

// Kind returns the name of the type of the object.
func (root Root) Kind() string {
	if of, ok := elem(root.Object).(*types.Named); ok {
		return of.Obj().Name()
	}
	return ""
}

// Roots returns the functions of the named packages that validate an object, by their position.
func (p *Program) Roots() []Root {
	var roots []Root
	for f, source := range p.functions {
		if !slices.Contains(p.named, source.in) || isTest(source.in.Fset.Position(source.declared.Pos()).Filename) {
			continue
		}
		root, ok := p.rootOf(f, source)
		if ok && root.forBoth(f) {
			create := root
			create.Operation, root.Operation = "CREATE", "UPDATE"
			roots = append(roots, create)
		}
		if ok {
			roots = append(roots, root)
		}
	}
	called := p.calledByRoots(roots)
	roots = slices.DeleteFunc(roots, func(root Root) bool { return called[root.Func] })
	slices.SortFunc(roots, func(a, b Root) int {
		one, other := p.files.Position(a.Func.Pos()), p.files.Position(b.Func.Pos()) // files are loaded in any order
		return cmp.Or(cmp.Compare(one.Filename, other.Filename), cmp.Compare(one.Offset, other.Offset),
			cmp.Compare(a.Operation, b.Operation))
	})
	return roots
}

// forBoth reports whether a function is called for creates and for updates, and may see which: by an old object that is nil,
// by the request, or by a context of knative.
func (root Root) forBoth(f *types.Func) bool {
	result := types.TypeString(f.Signature().Results().At(0).Type(), nil)
	ofKnative := root.isMethod && result == "*"+knativePackage+".FieldError"
	return root.Operation == "" && (root.old >= 0 && !strings.Contains(f.Name(), "Update") || requestOf(f) >= 0 || ofKnative)
}

// rootOf returns a function as a root, if it is one.
func (p *Program) rootOf(f *types.Func, source *function) (Root, bool) {
	signature := f.Signature()
	root := Root{Func: f, object: -1, old: -1}
	returnsErrors := false
	for i := range signature.Results().Len() {
		returnsErrors = returnsErrors || isErrors(signature.Results().At(i).Type())
	}
	if t := p.handledObject(f, source); t != nil && returnsErrors {
		root.Object = t
		return root, true
	}
	if !returnsErrors || !strings.HasPrefix(strings.ToLower(f.Name()), "validate") || f.Name() == "ValidateDelete" {
		return root, false
	}
	switch f.Name() {
	case "ValidateCreate":
		root.Operation = "CREATE"
	case "ValidateUpdate":
		root.Operation = "UPDATE"
	}
	if isCreateStrategy(f) {
		root.Operation = "CREATE"
	}
	for i := range signature.Params().Len() {
		parameter := signature.Params().At(i)
		t := p.objectOf(source, parameter)
		switch {
		case t == nil:
		case strings.Contains(strings.ToLower(parameter.Name()), "old"):
			root.old, root.Object = i, t
		case root.object < 0:
			root.object, root.Object = i, t
		case root.old < 0: // without names
			root.object, root.old = i, root.object
		}
	}
	if recv := signature.Recv(); recv != nil && root.object < 0 && isObject(recv.Type()) {
		root.isMethod, root.Object = true, recv.Type()
	}
	return root, root.object >= 0 || root.isMethod
}

// objectOf returns the type of the object that a parameter has: its own, or that as which the body uses it; nil: it is
// no object.
func (p *Program) objectOf(source *function, parameter *types.Var) types.Type {
	if isObject(parameter.Type()) {
		return parameter.Type()
	}
	if !types.IsInterface(parameter.Type()) {
		return nil
	}
	for node := range ast.Preorder(source.declared.Body) {
		asserted, ok := node.(*ast.TypeAssertExpr)
		if !ok || asserted.Type == nil {
			continue
		}
		if name, ok := asserted.X.(*ast.Ident); ok && source.in.TypesInfo.Uses[name] == parameter {
			if t := source.in.TypesInfo.TypeOf(asserted.Type); isObject(t) {
				return t
			}
		}
	}
	return nil
}

// isObject reports whether a type is a struct, or a pointer to one, with TypeMeta.
func isObject(t types.Type) bool {
	structure := structOf(t)
	if structure == nil {
		return false
	}
	for field := range structure.Fields() {
		if field.Embedded() && field.Name() == "TypeMeta" {
			return true
		}
	}
	return false
}

// calledByRoots returns the functions that others of the roots call, directly or not.
func (p *Program) calledByRoots(roots []Root) map[*types.Func]bool {
	called := map[*types.Func]bool{}
	var visit func(f *types.Func)
	visit = func(f *types.Func) {
		source := p.functions[f]
		if source == nil {
			return
		}
		for node := range ast.Preorder(source.declared.Body) {
			name, ok := node.(*ast.Ident)
			if !ok {
				continue
			}
			if used, ok := source.in.TypesInfo.Uses[name].(*types.Func); ok && !called[used.Origin()] && used.Origin() != f {
				called[used.Origin()] = true
				visit(used.Origin())
			}
		}
	}
	for _, root := range roots {
		visit(root.Func)
	}
	return called
}

// arguments returns the values of the parameters of a root.
func (root Root) arguments(r *reading) []value {
	args := make([]value, root.Func.Signature().Params().Len())
	for i := range args {
		switch i {
		case root.object:
			args[i] = place{expr: celexpr.Name("self"), typ: root.Object, has: yes}
		case root.old:
			if root.Operation == "CREATE" {
				args[i] = nothing{}
				continue
			}
			args[i] = place{expr: celexpr.Name("oldSelf"), typ: root.Object, has: yes}
		case requestOf(root.Func):
			args[i] = r.request(root, root.Func.Signature().Params().At(i).Type())
		default:
			args[i] = r.unreadAt(root.Func.Signature().Params().At(i).Pos(), "the parameter "+root.Func.Signature().Params().At(i).Name())
		}
	}
	return args
}

// receiver returns the value of the receiver of a root.
func (root Root) receiver(r *reading) value {
	if root.isMethod {
		return place{expr: celexpr.Name("self"), typ: root.Object, has: yes}
	}
	return r.unreadAt(root.Func.Pos(), "the receiver of "+root.Func.Name())
}

// implementation returns the one method of the program that a method of an interface can be; nil: there is none, or
// several.
func (p *Program) implementation(f *types.Func) *types.Func {
	of, ok := f.Signature().Recv().Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	var found *types.Func
	for candidate := range p.functions {
		recv := candidate.Signature().Recv()
		if recv == nil || candidate.Name() != f.Name() || !types.Implements(recv.Type(), of) {
			continue
		}
		if found != nil {
			return nil
		}
		found = candidate
	}
	return found
}
