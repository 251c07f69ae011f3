package cel

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Selections: x.y, x.?y and has(x.y).

// fieldOf is the declared field that an identifier names in values of a type, or
// nil.
func (p *planner) fieldOf(operand ast.Expr, ident string) (*Shape, *Field) {
	t := p.typeOf(operand)
	if t.Kind() == types.OpaqueKind && t.TypeName() == "optional_type" && len(t.Parameters()) == 1 {
		t = t.Parameters()[0]
	}
	if t.Kind() != types.StructKind {
		return nil, nil
	}
	s := p.objects[t.TypeName()]
	if s == nil {
		return nil, nil
	}
	return s, s.field(ident)
}

// getField gives a field of an object; found is false when it is not set.
type getField func(m *machine, in view.View, of *Shape) (v view.View, s *Shape, found bool)

// getter finds a declared field in objects of a shape. Shapes of one name may be
// several, when one takes over another (see Shape.Name).
func getter(shape *Shape, f *Field, ident string) getField {
	return func(m *machine, in view.View, of *Shape) (view.View, *Shape, bool) {
		f := f
		if of != shape {
			if f = of.lookup(ident); f == nil {
				return view.View{}, nil, false
			}
		}
		v, ok := m.read.Field(in, f.Name)
		if !ok || v.Kind() == view.Null || (f.StripsZero && m.read.Zero(v)) {
			return view.View{}, nil, false
		}
		return v, f.Shape, true
	}
}

// access plans getting a field of an object or an entry of a map by name.
func (p *planner) access(operand ast.Expr, ident string) getField {
	if shape, f := p.fieldOf(operand, ident); f != nil {
		return getter(shape, f, ident)
	}
	t := p.typeOf(operand)
	if t.Kind() == types.OpaqueKind && t.TypeName() == "optional_type" && len(t.Parameters()) == 1 {
		t = t.Parameters()[0]
	}
	if t.Kind() != types.MapKind {
		return nil
	}
	return func(m *machine, in view.View, of *Shape) (view.View, *Shape, bool) { return m.entry(in, of, ident) }
}

// entry is an entry of a map.
func (m *machine) entry(in view.View, of *Shape, key string) (view.View, *Shape, bool) {
	if of.Kind != Map {
		return view.View{}, nil, false
	}
	v, ok := m.read.Field(in, key)
	if !ok || (v.Kind() == view.Null && v.Typed() && !of.Elem.Nullable) {
		return view.View{}, nil, false
	}
	return v, of.Elem, true
}

func (p *planner) sel(s ast.SelectExpr) step {
	operand, get := p.step(s.Operand()), p.access(s.Operand(), s.FieldName())
	if operand == nil || get == nil {
		return nil
	}
	plain, named := p.plainName(s)
	variable := p.variable(s.Operand())
	return func(m *machine) datum {
		m.cost += identCost
		var made datum
		d := &made
		if variable >= 0 {
			m.cost += identCost
			d = &m.slots[variable]
		} else {
			made = operand(m)
		}
		switch d.kind {
		case aView:
		case anOptional:
			return m.chain(d, get)
		case anError:
			return *d
		default:
			return datum{}
		}
		v, shape, ok := get(m, d.v, d.shape)
		if ok {
			return load(v, shape)
		}
		if _, there := m.read.Field(d.v, plain); named && !there {
			return datum{kind: anError}
		}
		return datum{}
	}
}

// variable is the slot of an expression that is a variable, or -1.
func (p *planner) variable(e ast.Expr) int {
	if e.Kind() != ast.IdentKind {
		return -1
	}
	slot, ok := p.vars[e.AsIdent()]
	if !ok {
		return -1
	}
	return slot
}

// plainName is what a selected field or entry is called in the object.
func (p *planner) plainName(s ast.SelectExpr) (string, bool) {
	if _, f := p.fieldOf(s.Operand(), s.FieldName()); f != nil {
		return f.Name, true
	}
	return s.FieldName(), p.typeOf(s.Operand()).Kind() == types.MapKind
}

// chain selects a field of an optional: as one that is not set when it is not.
func (m *machine) chain(d *datum, get getField) datum {
	if !d.set {
		return datum{kind: anOptional}
	}
	if d.inner != aView {
		return datum{}
	}
	v, shape, ok := get(m, d.v, d.shape)
	if !ok {
		return datum{kind: anOptional}
	}
	return optional(load(v, shape))
}

func optional(d datum) datum {
	if d.unknown() || d.kind == anOptional {
		return datum{}
	}
	d.inner, d.kind, d.set = d.kind, anOptional, true
	return d
}

// presence plans has(operand.field).
func (p *planner) presence(s ast.SelectExpr) test {
	operand, get := p.step(s.Operand()), p.access(s.Operand(), s.FieldName())
	if operand == nil || get == nil {
		return nil
	}
	variable := p.variable(s.Operand())
	return func(m *machine) truth {
		m.cost += identCost
		var made datum
		d := &made
		if variable >= 0 {
			m.cost += identCost
			d = &m.slots[variable]
		} else {
			made = operand(m)
		}
		switch d.kind {
		case aView:
		case anError:
			return failed
		default:
			return unsure
		}
		v, shape, ok := get(m, d.v, d.shape)
		if !ok {
			return no
		}
		if !loads(v, shape) { // also asking for wrong data is an error
			return unsure
		}
		return yes
	}
}
