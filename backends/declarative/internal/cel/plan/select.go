package plan

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/decl"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Selections: x.y, x.?y and has(x.y).

// fieldOf is the declared field that an identifier names in values of a type, or
// nil.
func (p *planner) fieldOf(operand ast.Expr, ident string) (*decl.Type, *decl.Field) {
	t := p.typeOf(operand)
	if t.Kind() == types.OpaqueKind && t.TypeName() == "optional_type" && len(t.Parameters()) == 1 {
		t = t.Parameters()[0]
	}
	if t.Kind() != types.StructKind {
		return nil, nil
	}
	s := p.Objects(t.TypeName())
	if s == nil {
		return nil, nil
	}
	return s, s.Field(ident)
}

// getter gets what has one name in objects of a typ, or in maps.
type getter struct {
	typ   *decl.Type  // nil: of a map
	field *decl.Field // of the typ
	ident string
	name  string // in JSON
}

// getter finds a declared field in objects of a typ.
func newGetter(typ *decl.Type, f *decl.Field, ident string) *getter {
	return &getter{typ: typ, field: f, ident: ident, name: f.Name}
}

// access plans getting a field of an object or an entry of a map by name.
func (p *planner) access(operand ast.Expr, ident string) *getter {
	if typ, f := p.fieldOf(operand, ident); f != nil {
		return newGetter(typ, f, ident)
	}
	t := p.typeOf(operand)
	if t.Kind() == types.OpaqueKind && t.TypeName() == "optional_type" && len(t.Parameters()) == 1 {
		t = t.Parameters()[0]
	}
	if t.Kind() != types.MapKind {
		return nil
	}
	return &getter{ident: ident, name: ident}
}

// get gives what has the name; found is false when it is not set.
func (g *getter) get(m *Machine, in view.View, of *decl.Type) (v view.View, s *decl.Type, found bool) {
	switch {
	case g.typ == nil:
		return m.entry(in, of, g.ident)
	case of != g.typ:
		return g.otherwise(m, in, of)
	}
	v, ok := m.read.Field(in, g.name)
	if !ok || v.Kind() == view.Null || (g.field.StripsZero && m.read.Zero(v)) {
		return view.View{}, nil, false
	}
	return v, g.field.Type, true
}

// otherwise finds the field in another typ: those of one name may be several, when one
// takes over another (see Shape.Name).
func (g *getter) otherwise(m *Machine, in view.View, of *decl.Type) (view.View, *decl.Type, bool) {
	f := of.Lookup(g.ident)
	if f == nil {
		return view.View{}, nil, false
	}
	v, ok := m.read.Field(in, f.Name)
	if !ok || v.Kind() == view.Null || (f.StripsZero && m.read.Zero(v)) {
		return view.View{}, nil, false
	}
	return v, f.Type, true
}

// has says whether there is what has the name. Also asking for wrong data is an error.
func (g *getter) has(m *Machine, in view.View, of *decl.Type) truth {
	v, typ, ok := g.get(m, in, of)
	switch {
	case !ok:
		return no
	case !decl.Loads(v.Kind(), typ):
		return unsure
	}
	return yes
}

// lacks says that there is nothing of the name at all, which is an error to select.
func (g *getter) lacks(m *Machine, in view.View) bool {
	_, there := m.read.Field(in, g.name)
	return !there
}

// entry is an entry of a map.
func (m *Machine) entry(in view.View, of *decl.Type, key string) (view.View, *decl.Type, bool) {
	if of.Kind != decl.Map {
		return view.View{}, nil, false
	}
	v, ok := m.read.Field(in, key)
	if !ok || !of.Counts(v) {
		return view.View{}, nil, false
	}
	return v, of.Elem, true
}

// way is a path of fields and entries from a variable, which is walked without a datum
// for each step: self.spec.containers.
type way struct {
	slot  int
	steps []*getter
}

// way plans a path. It is nil for anything else, and where there are optionals.
func (p *planner) way(e ast.Expr) *way {
	switch e.Kind() {
	case ast.IdentKind:
		if slot, ok := p.vars[e.AsIdent()]; ok {
			return &way{slot: slot}
		}
	case ast.SelectKind:
		s := e.AsSelect()
		if k := p.typeOf(s.Operand()).Kind(); s.IsTestOnly() || k != types.StructKind && k != types.MapKind {
			return nil
		}
		w, g := p.way(s.Operand()), p.access(s.Operand(), s.FieldName())
		if w != nil && g != nil {
			w.steps = append(w.steps, g)
			return w
		}
	}
	return nil
}

// find walks a way to its end. It is failed where a step is an error in cel-go too.
func (w *way) find(m *Machine) (v view.View, s *decl.Type, t truth) {
	m.cost += identCost
	d := &m.slots[w.slot]
	switch d.kind {
	case aView:
	case anError:
		return view.View{}, nil, failed
	default:
		return view.View{}, nil, unsure
	}
	v, s = d.v, d.typ
	for _, g := range w.steps {
		m.cost += identCost
		if v.Kind() != view.Map || s.Kind != decl.Object && s.Kind != decl.Map {
			return view.View{}, nil, unsure
		}
		next, typ, ok := g.get(m, v, s)
		switch {
		case ok:
			v, s = next, typ
		case g.lacks(m, v):
			return view.View{}, nil, failed
		default:
			return view.View{}, nil, unsure
		}
	}
	return v, s, yes
}

// selection plans x.y, where y is not only asked for.
func (p *planner) selection(e ast.Expr) step {
	if w := p.way(e); w != nil {
		return w.step()
	}
	s := e.AsSelect()
	operand, get := p.step(s.Operand()), p.access(s.Operand(), s.FieldName())
	if operand == nil || get == nil {
		return nil
	}
	named := p.isPlain(s)
	return func(m *Machine) datum {
		m.cost += identCost
		d := operand(m)
		switch d.kind {
		case aView:
		case anOptional:
			m.cost += callCost
			return m.selectOptional(&d, get)
		case anError:
			return d
		default:
			return datum{}
		}
		v, typ, ok := get.get(m, d.v, d.typ)
		if ok {
			return load(v, typ)
		}
		if named && get.lacks(m, d.v) {
			return datum{kind: anError}
		}
		return datum{}
	}
}

func (w *way) step() step {
	return func(m *Machine) datum {
		v, s, t := w.find(m)
		switch t {
		case yes:
			return load(v, s)
		case failed:
			return datum{kind: anError}
		}
		return datum{}
	}
}

// isPlain says that what is selected is a field or an entry by its name in the object.
func (p *planner) isPlain(s ast.SelectExpr) bool {
	_, f := p.fieldOf(s.Operand(), s.FieldName())
	return f != nil || p.typeOf(s.Operand()).Kind() == types.MapKind
}

// presence plans has(operand.field).
func (p *planner) presence(s ast.SelectExpr) test {
	g := p.access(s.Operand(), s.FieldName())
	if g == nil {
		return nil
	}
	if w := p.way(s.Operand()); w != nil && p.isPlain(s) {
		return w.presence(g)
	}
	operand := p.step(s.Operand())
	if operand == nil {
		return nil
	}
	return func(m *Machine) truth {
		m.cost += identCost + callCost
		d := operand(m)
		switch d.kind {
		case aView:
			return g.has(m, d.v, d.typ)
		case anError:
			return failed
		}
		return unsure
	}
}

// presence plans has(way.field).
func (w *way) presence(g *getter) test {
	return func(m *Machine) truth {
		m.cost += identCost + callCost
		v, s, t := w.find(m)
		switch {
		case t != yes:
			return t
		case v.Kind() != view.Map || s.Kind != decl.Object && s.Kind != decl.Map:
			return unsure
		}
		return g.has(m, v, s)
	}
}
