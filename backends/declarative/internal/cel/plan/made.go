package plan

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
)

// Calls that make a text or a list of others.

// add plans the sum of two texts. All other sums are cel-go's.
func (p *planner) add(e ast.Expr, args []ast.Expr) planned {
	if !p.typeOf(e).IsExactType(types.StringType) {
		return p.libraryCall(e, args)
	}
	return p.ofTwo(args, callCost, func(m *Machine, x, y, into *datum) {
		if x.kind != aText || y.kind != aText || !m.charge(int64(len(x.s)+len(y.s))) {
			into.giveUp()
			return
		}
		into.setText(x.s + y.s)
	})
}

// flatten plans list.flatten(), which opens one level of lists.
func (p *planner) flatten(_ ast.Expr, args []ast.Expr) planned {
	return p.listOf(args, func(m *Machine, made []datum, item datum, _ int64) ([]datum, bool) {
		if !item.isList() {
			return append(made, item), m.charge(1)
		}
		for i := range int(m.size(&item)) {
			made = append(made, datum{})
			m.at(&item, i, &made[len(made)-1])
		}
		return made, m.charge(1)
	})
}

// distinct plans list.distinct(). cel-go counts all pairs, and not what comparing them costs.
func (p *planner) distinct(_ ast.Expr, args []ast.Expr) planned {
	return p.listOf(args, func(m *Machine, made []datum, item datum, n int64) ([]datum, bool) {
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

// sum plans the sum of integers. All other sums are the library's.
func (p *planner) sum(e ast.Expr, args []ast.Expr) planned {
	if !p.typeOf(e).IsExactType(types.IntType) || len(args) != 1 {
		return p.libraryCall(e, args)
	}
	return p.ofOne(args[0], callCost, func(m *Machine, d, into *datum) {
		if into.giveUp(); !d.isList() || !m.charge(m.weight(d)+1) {
			return
		}
		var total int64
		for i := range int(m.size(d)) {
			var item datum
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

// listOf plans a function that makes a list of another: add adds what it makes of an item of a
// list of n. An empty list stays what it is.
func (p *planner) listOf(args []ast.Expr, add func(m *Machine, made []datum, item datum, n int64) ([]datum, bool)) planned {
	if len(args) != 1 {
		return planned{}
	}
	list := p.place(args[0])
	if list.none() {
		return planned{}
	}
	return planned{step: func(m *Machine, into *datum) {
		d := list.at(m)
		if into.giveUp(); !d.isList() || !m.charge(listCallCost) {
			return
		}
		n, made := m.size(d), []datum(nil)
		for i := range int(n) {
			var item datum
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
