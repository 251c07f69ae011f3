package plan

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/decl"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Selections: x.y, x.?y and has(x.y).

// fieldOf returns the declared field that an identifier names in values of a type, or nil.
func (p *planner) fieldOf(operand ast.Expr, ident string) (*decl.Type, *decl.Field) {
	t := p.withoutOptional(operand)
	if t.Kind() != types.StructKind {
		return nil, nil
	}
	s := p.Objects(t.TypeName())
	if s == nil {
		return nil, nil
	}
	return s, s.Field(ident)
}

// withoutOptional returns the type of an expression, or of the value in it if it is an optional.
func (p *planner) withoutOptional(e ast.Expr) *types.Type {
	t := p.typeOf(e)
	if t.Kind() == types.OpaqueKind && t.TypeName() == "optional_type" && len(t.Parameters()) == 1 {
		return t.Parameters()[0]
	}
	return t
}

// getter gets the field or entry of one name from objects of a type, or from maps.
type getter struct {
	typ   *decl.Type  // nil: of a map
	field *decl.Field // of the type
	ident string
	name  string // in JSON
}

// access plans getting a field of an object or an entry of a map by name.
func (p *planner) access(operand ast.Expr, ident string) *getter {
	if typ, f := p.fieldOf(operand, ident); f != nil {
		return &getter{typ: typ, field: f, ident: ident, name: f.Name}
	}
	if p.withoutOptional(operand).Kind() != types.MapKind {
		return nil
	}
	return &getter{ident: ident, name: ident}
}

// get returns the value; found is false if it is not set.
func (g *getter) get(m *Machine, in view.View, of *decl.Type) (v view.View, s *decl.Type, found bool) {
	f := g.field
	switch {
	case g.typ == nil:
		return m.entry(in, of, g.ident)
	case of != g.typ: // types of one name may be several, when one takes over another (see decl.Type.Name)
		f = of.Lookup(g.ident)
	}
	if f == nil {
		return view.View{}, nil, false
	}
	v, found = f.In(m.read, in)
	return v, f.Type, found
}

// has reports whether the value is set. It is unsure about data of a wrong type.
func (g *getter) has(m *Machine, in view.View, of *decl.Type) truth {
	if g.typ != nil && of == g.typ {
		kind, ok := g.field.KindIn(m.read, in)
		return loaded(kind, g.field.Type, ok)
	}
	v, typ, ok := g.get(m, in, of)
	return loaded(v.Kind(), typ, ok)
}

// loaded is the presence of a value of a kind.
func loaded(kind view.Kind, typ *decl.Type, found bool) truth {
	switch {
	case !found:
		return no
	case !decl.Loads(kind, typ):
		return unsure
	}
	return yes
}

// lacks reports whether nothing has the name at all.
func (g *getter) lacks(m *Machine, in view.View) bool {
	_, there := m.read.Field(in, g.name)
	return !there
}

// entry returns an entry of a map.
func (m *Machine) entry(in view.View, of *decl.Type, key string) (view.View, *decl.Type, bool) {
	if of.Kind != decl.Map {
		return view.View{}, nil, false
	}
	v, ok := of.ValueOf(m.read, in, key)
	return v, of.Elem, ok
}

// selection plans x.y outside of has().
func (p *planner) selection(e ast.Expr) step {
	s := e.AsSelect()
	operand, get := p.place(s.Operand()), p.access(s.Operand(), s.FieldName())
	if operand.none() || get == nil {
		return nil
	}
	return func(m *Machine, into *datum) {
		m.cost += identCost
		d := operand.at(m)
		switch d.kind {
		case aView:
			m.selectField(d, get, into)
		case anOptional:
			m.cost += callCost
			m.selectOptional(d, get, into)
		case anError:
			into.kind = anError
		default:
			into.giveUp()
		}
	}
}

// selectField selects a field of a value. It is an error if nothing has the name at all.
func (m *Machine) selectField(d *datum, g *getter, into *datum) {
	v, typ, ok := g.get(m, d.v, d.typ)
	switch {
	case ok:
		into.load(v, typ)
	case g.lacks(m, d.v):
		into.kind = anError
	default:
		into.giveUp()
	}
}

// presence plans has(operand.field).
func (p *planner) presence(s ast.SelectExpr) test {
	g := p.access(s.Operand(), s.FieldName())
	if g == nil {
		return nil
	}
	operand := p.place(s.Operand())
	if operand.none() {
		return nil
	}
	return func(m *Machine) truth {
		m.cost += identCost + callCost
		d := operand.at(m)
		switch d.kind {
		case aView:
			return g.has(m, d.v, d.typ)
		case anError:
			return failed
		}
		return unsure
	}
}
