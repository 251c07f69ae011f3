package read

import (
	"go/ast"
	"go/token"
	"go/types"
)

// reference is a variable that shares what another one has: a pointer to it, or the same map.
type reference struct {
	to ast.Expr
	// address: it is a pointer to the other one.
	address bool
}

// isReferable reports whether an expression is a variable, or a part of one.
func isReferable(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return isReferable(x.X)
	case *ast.IndexExpr:
		return isReferable(x.X)
	}
	return false
}

// shared returns what a variable gets that is assigned an expression: a reference if it shares what a local variable has,
// and else the value.
func (a *activation) shared(s *state, e ast.Expr, v value) value {
	e = ast.Unparen(e)
	of, isUnary := e.(*ast.UnaryExpr)
	isAddress := isUnary && of.Op == token.AND
	if isAddress {
		e = of.X
	}
	if !isReferable(e) || !isAddress && !isShared(a.info.TypeOf(e)) {
		return v
	}
	root := rootName(e)
	o, ok := a.info.ObjectOf(root).(*types.Var)
	if !ok || s.env[o] == nil || !isAddress && !isLocal(v) {
		return v
	}
	if before, ok := s.env[o].(reference); ok && e == root && !isAddress {
		return before
	}
	switch s.env[o].(type) {
	case place, unknown, nothing, closure:
		return v
	}
	return reference{e, isAddress}
}

// isLocal reports whether a value is one that the program made, and can change.
func isLocal(v value) bool {
	switch v.(type) {
	case *made, pointer, collection:
		return true
	}
	return false
}

// resolved returns what a reference has now.
func (a *activation) resolved(s *state, to reference) value {
	v := a.eval(s, to.to)
	if !to.address {
		return v
	}
	return addressOfValue(v)
}

// addressOfValue returns a pointer to a value. A struct is its own pointer.
func addressOfValue(v value) value {
	switch v.(type) {
	case *made, place, unknown, failures:
		return v
	}
	return pointer{v}
}

// store changes what a variable has; one that shares it with another one changes that.
func (a *activation) store(s *state, to ast.Expr, v value) {
	if name, ok := ast.Unparen(to).(*ast.Ident); ok {
		if other, ok := s.env[a.info.ObjectOf(name)].(reference); ok {
			a.assign(s, other.to, v)
			return
		}
	}
	a.assign(s, to, v)
}

// assignPointedTo changes what a pointer points to.
func (a *activation) assignPointedTo(s *state, to ast.Expr, v value) {
	name, ok := ast.Unparen(to).(*ast.Ident)
	if !ok {
		a.leaveOut(to.Pos(), "a change through a pointer")
		a.assign(s, to, addressOfValue(v))
		return
	}
	if _, isPlace := s.env[a.info.ObjectOf(name)].(place); isPlace {
		a.leaveOut(to.Pos(), "a change of the object through the pointer "+name.Name)
	}
	if other, ok := s.env[a.info.ObjectOf(name)].(reference); ok {
		a.assign(s, other.to, v)
		return
	}
	a.assign(s, name, addressOfValue(v))
}

// withField returns a struct with another value of a field.
func (m *made) withField(name string, v value) *made {
	fields := map[string]value{name: v}
	for other, v := range m.fields {
		if other != name {
			fields[other] = v
		}
	}
	return &made{m.typ, fields, m.base}
}

// closuresIn returns the closures that a value is or has.
func closuresIn(v value) []closure {
	var all []closure
	switch x := v.(type) {
	case closure:
		if x.literal != nil {
			all = append(all, x)
		}
	case choice:
		all = append(closuresIn(x.then), closuresIn(x.otherwise)...)
	case pointer:
		all = closuresIn(x.to)
	case list:
		for _, item := range x.items {
			all = append(all, closuresIn(item)...)
		}
	case collection:
		for _, one := range x.entries {
			all = append(all, closuresIn(one.value)...)
		}
	case *made:
		if structure := structOf(x.typ); structure != nil {
			for field := range structure.Fields() {
				all = append(all, closuresIn(x.fields[field.Name()])...)
			}
		}
	}
	return all
}

// withCaptured returns a value whose closures keep the variables of the function that returns them.
func withCaptured(v value, env map[types.Object]value) value {
	switch x := v.(type) {
	case closure:
		if x.literal != nil && x.captured == nil {
			x.captured = env
		}
		return x
	case choice:
		return choice{x.when, withCaptured(x.then, env), withCaptured(x.otherwise, env)}
	}
	return v
}
