package cel

import (
	"github.com/google/cel-go/common/ast"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// An oldSelf that is an optional (optionalOldSelf) is plain data to cel-go (see
// Evaluator.ResolveName): plans look only at what is in plain data what it is to rules.

// isOldOptional says that an expression is such an oldSelf.
func (p *planner) isOldOptional(e ast.Expr) bool {
	_, shadowed := p.vars[oldSelf]
	return p.noOld && !shadowed && isIdent(e, oldSelf)
}

// optional plans an expression whose value is an optional, as an argument.
func (p *planner) optional(e ast.Expr) step {
	if !p.isOldOptional(e) {
		return p.step(e)
	}
	return func(m *machine) datum {
		m.cost += identCost
		if !m.hasOld {
			return datum{kind: anOptional}
		}
		switch d := m.slots[oldSlot].read(); d.kind {
		case aBool, anInt, aText:
			return optional(d)
		}
		return datum{}
	}
}

// oldField plans oldSelf.?field: only for fields that plain data has under the same name,
// and scalars that are in plain data what they are to rules. A zero that is stripped is no
// value to rules, and one in plain data.
func (p *planner) oldField(operand ast.Expr, ident string) step {
	shape, f := p.fieldOf(operand, ident)
	if f == nil || f.Name != ident {
		return nil
	}
	switch f.Shape.Kind {
	case String, Bool, Int, Dyn:
	default:
		return nil
	}
	g := newGetter(shape, f, ident)
	return func(m *machine) datum {
		m.cost += 2*identCost + callCost
		if !m.hasOld {
			return datum{kind: anOptional}
		}
		old := m.slots[oldSlot]
		if old.kind != aView {
			return datum{}
		}
		plain, there := m.read.Field(old.v, ident)
		if there && plain.Kind() == view.Null {
			return datum{}
		}
		v, s, ok := g.get(m, old.v, old.shape)
		switch {
		case ok:
			return optional(load(v, s))
		case there:
			return datum{}
		}
		return datum{kind: anOptional}
	}
}
