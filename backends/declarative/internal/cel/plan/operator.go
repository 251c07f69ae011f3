package plan

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// Calls of operators are planned here.

// logical plans && and ||. Operands after one that decides are not evaluated; an operand after an error
// may still decide. One that cannot be planned gives up, which matters only if none before it decides.
func (p *planner) logical(e ast.Expr, _ []ast.Expr) planned {
	function := e.AsCall().FunctionName()
	decides := yes
	if function == operators.LogicalAnd {
		decides = no
	}
	var tests []test
	free := p.slots
	for _, each := range operands(function, e, nil) {
		t := p.test(each)
		p.slots = free
		switch {
		case t == nil && len(tests) == 0:
			return planned{}
		case t == nil:
			t, p.partial = func(*Machine) truth { return unsure }, true
		}
		tests = append(tests, t)
	}
	cost := int64(len(tests)-1) * callCost
	return planned{test: func(m *Machine) truth {
		m.cost += cost
		result := decides.not()
		for _, t := range tests {
			switch t(m) {
			case decides:
				return decides
			case decides.not():
			case failed:
				result = failed
			default:
				return unsure
			}
		}
		return result
	}}
}

// operands returns the expressions that && or || joins, in order.
func operands(function string, e ast.Expr, found []ast.Expr) []ast.Expr {
	if !IsCall(e, function, 2) {
		return append(found, e)
	}
	for _, arg := range e.AsCall().Args() {
		found = operands(function, arg, found)
	}
	return found
}

func (p *planner) not(_ ast.Expr, args []ast.Expr) planned {
	t := p.test(args[0])
	if t == nil {
		return planned{}
	}
	return planned{test: func(m *Machine) truth {
		m.cost += callCost
		return t(m).not()
	}}
}

func (p *planner) conditional(_ ast.Expr, args []ast.Expr) planned {
	when := p.test(args[0])
	if when == nil {
		return planned{}
	}
	then, otherwise := p.step(args[1]), p.step(args[2])
	if then == nil || otherwise == nil {
		return planned{}
	}
	return planned{step: func(m *Machine, into *operand) {
		m.cost += callCost
		switch when(m) {
		case yes:
			then(m, into)
		case no:
			otherwise(m, into)
		default:
			into.giveUp()
		}
	}}
}

// index plans list[i] and map[key].
func (p *planner) index(_ ast.Expr, args []ast.Expr) planned {
	return p.ofTwo(args, identCost+callCost, func(m *Machine, x, y, into *operand) {
		into.giveUp()
		switch {
		case x.isList() && y.kind == anInt && y.n >= 0 && y.n < m.size(x):
			m.at(x, int(y.n), into)
		case x.isMap() && y.kind == aText:
			if v, typ, ok := m.entry(x.v, x.typ, y.s); ok {
				into.load(v, typ)
			}
		}
	})
}
