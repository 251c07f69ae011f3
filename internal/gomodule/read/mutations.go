package read

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// mutation is what a function changes of an argument that it shares with its caller.
type mutation struct {
	// parameter is its number; -1: it is the receiver.
	parameter int
	// field is the field of the struct to which the argument points; empty: the whole.
	field string
	// fills: something is put into a collection.
	fills bool
}

// mutationsOf returns what a function changes of its arguments, itself or by the functions that it calls.
func (p *Program) mutationsOf(f *types.Func) []mutation {
	if all, ok := p.mutations[f]; ok {
		return all
	}
	p.mutations[f] = nil // of a function that calls itself, which is not read
	source := p.functions[f]
	if source == nil {
		if recv := f.Signature().Recv(); recv == nil || !types.IsInterface(recv.Type()) {
			return nil
		}
		if one := p.implementation(f); one != nil {
			p.mutations[f] = p.mutationsOf(one)
		}
		return p.mutations[f]
	}
	m := &mutated{program: p, info: source.in.TypesInfo, numbers: map[types.Object]int{}}
	if recv := source.declared.Recv; recv != nil {
		m.number(recv.List, -1)
	}
	m.number(source.declared.Type.Params.List, 0)
	for node := range ast.Preorder(source.declared.Body) {
		switch st := node.(type) {
		case *ast.AssignStmt:
			for i, to := range st.Lhs {
				m.add(to, "", isIndex(to) || len(st.Rhs) == len(st.Lhs) && appends(m.info, st.Rhs[i]), false)
			}
		case *ast.IncDecStmt:
			m.add(st.X, "", isIndex(st.X), false)
		case *ast.CallExpr:
			m.call(st)
		}
	}
	p.mutations[f] = m.all
	return m.all
}

// mutated is the reading of the source of a function for what it changes.
type mutated struct {
	program *Program
	info    *types.Info
	numbers map[types.Object]int
	all     []mutation
}

// number notes the numbers of the parameters through which a function changes what its caller has.
func (m *mutated) number(parameters []*ast.Field, first int) {
	for _, parameter := range parameters {
		for _, name := range parameter.Names {
			if o := m.info.Defs[name]; o != nil && isShared(o.Type()) {
				m.numbers[o] = first
			}
			first++
		}
		if len(parameter.Names) == 0 {
			first++
		}
	}
}

// isShared reports whether a copy of a value of a type shares what it has with the value.
func isShared(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map:
		return true
	}
	return false
}

// add notes a change of an expression. A parameter itself is shared if it is an argument or a receiver, and not if it is assigned.
func (m *mutated) add(e ast.Expr, within string, fills, isArgument bool) {
	name := rootName(e)
	if name == nil {
		return
	}
	n, ok := m.numbers[m.info.ObjectOf(name)]
	isItself := ast.Unparen(e) == name
	if !ok || isItself && !isArgument {
		return
	}
	one := mutation{n, fieldOfRoot(m.info, e), fills}
	if isItself {
		one.field = within
	}
	if !slices.Contains(m.all, one) {
		m.all = append(m.all, one)
	}
}

// call notes what a called function changes.
func (m *mutated) call(x *ast.CallExpr) {
	of := receiver(x)
	if of != nil {
		if name := x.Fun.(*ast.SelectorExpr).Sel.Name; name == "Insert" || name == "Delete" {
			m.add(of, "", name == "Insert", true)
		}
	}
	if name, ok := ast.Unparen(x.Fun).(*ast.Ident); ok && name.Name == "delete" && len(x.Args) > 0 {
		m.add(x.Args[0], "", false, true)
	}
	f, _ := typeutil.Callee(m.info, x).(*types.Func)
	if f == nil {
		return
	}
	for _, one := range m.program.mutationsOf(f.Origin()) {
		e := of
		if one.parameter >= 0 && one.parameter < len(x.Args) {
			e = ast.Unparen(x.Args[one.parameter])
			if address, ok := e.(*ast.UnaryExpr); ok {
				e = address.X
			}
		}
		if e != nil {
			m.add(e, one.field, one.fills, true)
		}
	}
}
