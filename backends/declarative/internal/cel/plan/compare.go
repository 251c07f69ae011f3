package plan

import (
	"math"
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/traits"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
)

// Calls that compare two values are planned here.

func (p *planner) equals(e ast.Expr, args []ast.Expr) planned {
	want := truthOf(e.AsCall().FunctionName() == operators.Equals)
	if IsCall(args[0], "type", 1) {
		return p.typeTest(args, want)
	}
	return p.compared(args, func(m *Machine, x, y *operand) truth { return m.equal(x, y).is(want) })
}

// compared plans a test of two values. An error in one of them is an error of the test.
func (p *planner) compared(args []ast.Expr, do func(m *Machine, x, y *operand) truth) planned {
	return p.testOfTwo(args, callCost, func(m *Machine, x, y *operand) truth {
		if x.kind == anError || (y.kind == anError && !x.unknown()) {
			return failed
		}
		return do(m, x, y)
	})
}

// typeTest plans type(x) == int and the like, with which rules tell the type of an int-or-string.
func (p *planner) typeTest(args []ast.Expr, want truth) planned {
	if args[1].Kind() != ast.IdentKind {
		return planned{}
	}
	kind, ok := map[string]operandKind{"int": anInt, "string": aText, "bool": aBool, "double": aDouble}[args[1].AsIdent()]
	if _, variable := p.vars[args[1].AsIdent()]; !ok || variable {
		return planned{}
	}
	return p.testOfOne(Arguments(args[0].AsCall())[0], identCost+2*callCost, func(_ *Machine, d *operand) truth {
		switch d.kind {
		case aBool, anInt, aDouble, aText:
			return truthOf(d.kind == kind).is(want)
		}
		return unsure
	})
}

// ordered plans < <= > and >=.
func (p *planner) ordered(e ast.Expr, args []ast.Expr) planned {
	function := e.AsCall().FunctionName()
	swap := function == operators.Greater || function == operators.GreaterEquals
	orEqual := function == operators.LessEquals || function == operators.GreaterEquals
	return p.compared(args, func(m *Machine, x, y *operand) truth {
		if swap {
			return m.less(y, x, orEqual)
		}
		return m.less(x, y, orEqual)
	})
}

func (m *Machine) less(x, y *operand, orEqual bool) truth {
	if x.kind != y.kind {
		return unsure
	}
	switch x.kind {
	case anInt:
		return truthOf(x.n < y.n || (orEqual && x.n == y.n))
	case aDouble:
		if a, b := x.float(), y.float(); !math.IsNaN(a) && !math.IsNaN(b) {
			return truthOf(a < b || (orEqual && a == b))
		}
	case aText:
		m.cost += int64(min(len(x.s), len(y.s)) / 10)
		return truthOf(x.s < y.s || (orEqual && x.s == y.s))
	case aRef: // durations and dates
		if c, ok := x.ref.(traits.Comparer); ok {
			if order, ok := c.Compare(y.ref).(celtypes.Int); ok {
				return truthOf(order < 0 || (orEqual && order == 0))
			}
		}
	}
	return unsure
}

// in plans x in list and key in map.
func (p *planner) in(_ ast.Expr, args []ast.Expr) planned {
	if texts := textsOf(args[1]); texts != nil {
		cost := listCost + callCost + int64(len(texts))
		return p.testOfOne(args[0], cost, func(m *Machine, x *operand) truth {
			if x.kind != aText {
				return unsure
			}
			return truthOf(slices.Contains(texts, x.s))
		})
	}
	return p.testOfTwo(args, callCost, func(m *Machine, x, y *operand) truth {
		switch {
		case x.unknown():
		case y.isMap() && x.kind == aText:
			v, typ, ok := m.entry(y.v, y.typ, x.s)
			if ok && !types.Loads(v, typ) {
				return unsure
			}
			m.cost += int64(m.read.Len(y.v))
			return truthOf(ok)
		case y.isList():
			return m.contains(x, y)
		}
		return unsure
	})
}

// textsOf returns the items of a list of literal texts, or nil.
func textsOf(e ast.Expr) []string {
	if e.Kind() != ast.ListKind || len(e.AsList().OptionalIndices()) > 0 {
		return nil
	}
	var texts []string
	for _, item := range e.AsList().Elements() {
		text, ok := literalText(item)
		if !ok {
			return nil
		}
		texts = append(texts, string(text))
	}
	return texts
}

func (m *Machine) contains(x, list *operand) truth {
	n := m.size(list)
	if !m.charge(n) {
		return unsure
	}
	spent := m.cost // cel-go does not count the comparisons
	for i := range int(n) {
		// The order matters for objects with unknown fields: a list of the object compares
		// its item with x (see list.Contains), a list of cel-go x with its item.
		var t truth
		if list.kind == aView {
			var item operand
			m.at(list, i, &item)
			t = m.equal(&item, x)
		} else {
			t = m.equal(x, &list.items[i])
		}
		if m.cost = spent; t != no {
			return t
		}
	}
	return no
}
