package plan

import (
	"math/bits"

	"github.com/google/cel-go/common/ast"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Most conditions begin with !has(x.field), and most fields are not set. Guards are those tests: all
// of one variable are made in one look at its value.

// guard is the test !has(x.field) of a variable, which may prove a condition.
type guard struct {
	slot  int
	field string // its name in JSON
}

// guarded are conditions with guards on one variable: the i-th that of the i-th name.
type guarded struct {
	slot       int
	names      *view.Names
	conditions []*condition
	cost       int64 // of all guards
}

// guardOf returns the guard that makes an expression no where no is wanted, or nil.
func (p *planner) guardOf(e ast.Expr, want truth) *guard {
	if slot, field, ok := p.presenceOf(e); ok && want == no {
		return &guard{slot, field}
	}
	return nil
}

// presenceOf returns the slot and the declared field in a test has(x.field) of a variable.
func (p *planner) presenceOf(e ast.Expr) (slot int, field string, ok bool) {
	if e.Kind() != ast.SelectKind || !e.AsSelect().IsTestOnly() || e.AsSelect().Operand().Kind() != ast.IdentKind {
		return 0, "", false
	}
	of := e.AsSelect().Operand()
	slot, ok = p.vars[of.AsIdent()]
	if get := p.access(of, e.AsSelect().FieldName()); ok && get != nil && get.typ != nil {
		return slot, get.name, true
	}
	return 0, "", false
}

// group puts together conditions whose guards are on one variable, here and below.
func (all *conditions) group() {
	var bySlot []guarded
	var names [][]string
	for _, c := range all.all {
		c.rest.group()
		if c.guard == nil {
			all.others = append(all.others, c)
			continue
		}
		i := 0
		for i < len(bySlot) && (bySlot[i].slot != c.guard.slot || len(names[i]) == view.MostNames) {
			i++
		}
		if i == len(bySlot) {
			bySlot, names = append(bySlot, guarded{slot: c.guard.slot}), append(names, nil)
		}
		names[i] = append(names[i], c.guard.field)
		bySlot[i].conditions = append(bySlot[i].conditions, c)
		bySlot[i].cost += (identCost + callCost + 2*callCost + identCost) * c.rules
	}
	for i := range bySlot {
		bySlot[i].names = view.NewNames(names[i], nil)
	}
	all.guarded = bySlot
}

// hold reports whether all guarded conditions are proven.
func (g *guarded) hold(m *Machine) bool {
	m.cost += g.cost
	of := &m.slots[g.slot]
	if of.kind != aView {
		return false
	}
	for set := maySet(g.names, of.v, len(g.conditions)); set != 0; set &= set - 1 {
		c := g.conditions[bits.TrailingZeros64(set)]
		if (c.last || !c.rest.hold(m)) && !c.holds(m) {
			return false
		}
	}
	return true
}
