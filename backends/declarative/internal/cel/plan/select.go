package plan

import (
	"github.com/google/cel-go/common/ast"
	celtypes "github.com/google/cel-go/common/types"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Selections are x.y, x.?y and has(x.y).

// fieldOf returns the declared field that an identifier names in values of a type, or nil.
func (p *planner) fieldOf(of ast.Expr, ident string) (*types.Type, *types.Field) {
	t := p.withoutOptional(of)
	if t.Kind() != celtypes.StructKind {
		return nil, nil
	}
	s := p.Objects(t.TypeName())
	if s == nil {
		return nil, nil
	}
	return s, s.Field(ident)
}

// withoutOptional returns the type of an expression, or of the value in it if it is an optional.
func (p *planner) withoutOptional(e ast.Expr) *celtypes.Type {
	t := p.typeOf(e)
	if t.Kind() == celtypes.OpaqueKind && t.TypeName() == "optional_type" && len(t.Parameters()) == 1 {
		return t.Parameters()[0]
	}
	return t
}

// getter reads the field or entry of one name from objects of a type, or from maps.
type getter struct {
	typ   *types.Type  // nil: of a map
	field *types.Field // of the type
	ident string
	name  string // in JSON
}

// access plans reading a field of an object or an entry of a map by name.
func (p *planner) access(of ast.Expr, ident string) *getter {
	if typ, f := p.fieldOf(of, ident); f != nil {
		return &getter{typ: typ, field: f, ident: ident, name: f.Name}
	}
	if p.withoutOptional(of).Kind() != celtypes.MapKind {
		return nil
	}
	return &getter{ident: ident, name: ident}
}

// get returns the value; found is false if it is not set.
func (g *getter) get(m *Machine, in view.View, of *types.Type) (v view.View, s *types.Type, found bool) {
	f := g.field
	switch {
	case g.typ == nil:
		return m.entry(in, of, g.ident)
	case of != g.typ: // several types may have one name, if one takes over another (see types.Type.Name)
		f = of.Lookup(g.ident)
	}
	if f == nil {
		return view.View{}, nil, false
	}
	v, found = f.In(m.read, in)
	return v, f.Type, found
}

// has reports whether the value is set. It is unsure about data of a wrong type.
func (g *getter) has(m *Machine, in view.View, of *types.Type) truth {
	if g.typ != nil && of == g.typ {
		kind, ok := g.field.KindIn(m.read, in)
		return isSet(ok, types.LoadsKind(kind, g.field.Type))
	}
	v, typ, ok := g.get(m, in, of)
	return isSet(ok, ok && types.Loads(v, typ))
}

// isSet reports whether a value is set, which is unsure if it was found and is of a wrong type.
func isSet(found, loads bool) truth {
	switch {
	case !found:
		return no
	case !loads:
		return unsure
	}
	return yes
}

// lacks reports whether the object has no entry of the name at all.
func (g *getter) lacks(m *Machine, in view.View) bool {
	_, there := m.read.Field(in, g.name)
	return !there
}

// entry returns an entry of a map.
func (m *Machine) entry(in view.View, of *types.Type, key string) (view.View, *types.Type, bool) {
	if of.Kind != types.Map {
		return view.View{}, nil, false
	}
	v, ok := of.ValueOf(m.read, in, key)
	return v, of.Elem, ok
}

// selection plans x.y outside of has().
func (p *planner) selection(e ast.Expr) step {
	s := e.AsSelect()
	of, get := p.valueRef(s.Operand()), p.access(s.Operand(), s.FieldName())
	if of.none() || get == nil {
		return nil
	}
	return func(m *Machine, into *operand) {
		m.cost += identCost
		d := of.at(m)
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

// selectField selects a field of a value. It is an error if the object has no entry of the name at all.
func (m *Machine) selectField(d *operand, g *getter, into *operand) {
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

// presence plans has(x.field).
func (p *planner) presence(s ast.SelectExpr) test {
	g := p.access(s.Operand(), s.FieldName())
	if g == nil {
		return nil
	}
	of := p.valueRef(s.Operand())
	if of.none() {
		return nil
	}
	return func(m *Machine) truth {
		m.cost += identCost + callCost
		d := of.at(m)
		switch d.kind {
		case aView:
			return g.has(m, d.v, d.typ)
		case anError:
			return failed
		}
		return unsure
	}
}
