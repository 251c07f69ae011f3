package plan

import (
	"fmt"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/debug"
	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/decl"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Rules get the same fields again and again, as in self.metadata.annotations. What is inside of a
// variable is got once for each of its values.

// memo is what an expression was for a value of its variable, which is part of a Go object. Nothing
// changes the object while plans run on it.
type memo struct {
	expression *expression
	at         view.Place // of the value of the variable
	typ        *decl.Type // of that value
	result     datum
	cost       int64
}

// expression is one that is got of a variable, in one plan.
type expression struct {
	slot int // of the variable
	memo int // its number
	step step
}

// inside returns the variable of an expression that gets what is inside of it, or nil.
func inside(e ast.Expr) ast.Expr {
	switch {
	case e.Kind() == ast.SelectKind && !e.AsSelect().IsTestOnly():
		e = e.AsSelect().Operand()
	case IsCall(e, operators.OptSelect, 2):
		e = e.AsCall().Args()[0]
	case IsCall(e, "orValue", 2) && isConstant(Arguments(e.AsCall())[1]):
		e = e.AsCall().Target()
	default:
		return nil
	}
	if e.Kind() == ast.IdentKind {
		return e
	}
	return inside(e)
}

// remembered plans an expression that gets what is inside of a variable. It is zero for others.
func (p *planner) remembered(e ast.Expr) place {
	variable := inside(e)
	if variable == nil {
		return place{}
	}
	slot, ok := p.vars[variable.AsIdent()]
	if !ok {
		return place{}
	}
	// Slots are used again: the type is that of the variable which has this one now.
	key := fmt.Sprint(slot, p.typeOf(variable), debug.ToDebugString(e))
	x := p.expressions[key]
	if x == nil {
		free := p.slots
		value := p.step(e)
		if value == nil || p.slots != free { // what it needs may have another meaning elsewhere
			return place{}
		}
		x = &expression{slot, len(p.expressions), value}
		p.expressions[key] = x
	}
	return place{made: x.at}
}

// at gives the value of an expression.
func (x *expression) at(m *Machine) *datum {
	known, of := &m.memos[x.memo], &m.slots[x.slot]
	at := of.v.Place()
	if known.expression == x && known.at == at && known.typ == of.typ && at != (view.Place{}) && of.kind == aView {
		m.cost += known.cost
		return &known.result
	}
	if known.expression == nil {
		m.known = append(m.known, x.memo)
	}
	before := m.cost
	x.step(m, &known.result)
	known.expression, known.at, known.typ, known.cost = x, at, of.typ, m.cost-before
	return &known.result
}
