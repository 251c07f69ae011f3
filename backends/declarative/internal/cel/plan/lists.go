package plan

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
)

// Calls that make a list, or a sum, of other values are planned here.

// add plans the sum of two texts. All other sums are left to the library.
func (p *planner) add(e ast.Expr, args []ast.Expr) planned {
	if !p.typeOf(e).IsExactType(types.StringType) {
		return p.libraryCall(e, args)
	}
	return p.ofTwo(args, callCost, func(m *Machine, x, y, into *operand) {
		if x.kind != aText || y.kind != aText || !m.charge(int64(len(x.s)+len(y.s))) {
			into.giveUp()
			return
		}
		into.setText(x.s + y.s)
	})
}

// flatten plans list.flatten(), which opens one level of lists.
func (p *planner) flatten(_ ast.Expr, args []ast.Expr) planned {
	return p.listOf(args, func(m *Machine, made []operand, item operand, _ int64) ([]operand, bool) {
		if !item.isList() {
			return append(made, item), m.charge(1)
		}
		for i := range int(m.size(&item)) {
			made = append(made, operand{})
			m.at(&item, i, &made[len(made)-1])
		}
		return made, m.charge(1)
	})
}

// distinct plans list.distinct(). cel-go counts all pairs, but not the cost of comparing them.
func (p *planner) distinct(_ ast.Expr, args []ast.Expr) planned {
	return p.listOf(args, func(m *Machine, made []operand, item operand, n int64) ([]operand, bool) {
		ok, spent := m.charge(3*n), m.cost
		for i := 0; i < len(made) && ok; i++ {
			t := m.equal(&item, &made[i])
			m.cost = spent
			if t != no {
				return made, t == yes
			}
		}
		return append(made, item), ok
	})
}

// sum plans the sum of integers. All other sums are left to the library.
func (p *planner) sum(e ast.Expr, args []ast.Expr) planned {
	if !p.typeOf(e).IsExactType(types.IntType) || len(args) != 1 {
		return p.libraryCall(e, args)
	}
	return p.ofOne(args[0], callCost, func(m *Machine, d, into *operand) {
		if into.giveUp(); !d.isList() || !m.charge(m.weight(d)+1) {
			return
		}
		var total int64
		for i := range int(m.size(d)) {
			var item operand
			m.at(d, i, &item)
			sum := total + item.n
			if item.kind != anInt || (sum > total) != (item.n > 0) && item.n != 0 {
				return
			}
			total = sum
		}
		into.setInt(total)
	})
}

// listOf plans a function that makes a list from another: add appends the result for an item of a list
// of n items. An empty list stays as it is.
func (p *planner) listOf(args []ast.Expr, add func(m *Machine, made []operand, item operand, n int64) ([]operand, bool)) planned {
	if len(args) != 1 {
		return planned{}
	}
	list := p.valueRef(args[0])
	if list.none() {
		return planned{}
	}
	return planned{step: func(m *Machine, into *operand) {
		d := list.at(m)
		if into.giveUp(); !d.isList() || !m.charge(listCallCost) {
			return
		}
		n, made := m.size(d), []operand(nil)
		for i := range int(n) {
			var item operand
			if m.at(d, i, &item); item.kind == gaveUp {
				return
			}
			ok := true
			if made, ok = add(m, made, item, n); !ok {
				return
			}
		}
		if into.setList(made); n == 0 {
			*into = *d
		}
	}}
}
