package plan

import (
	"math/bits"

	"github.com/google/cel-go/common/ast"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Most conditions begin with !has(x.field), and most fields are not set. All these tests of one variable
// are made together. Without this and view.Names, typed creates take 1.25 times as long.

// absentField is a field of a variable whose absence proves a condition.
type absentField struct {
	slot int
	name string // in JSON
}

// presence has the conditions that the absence of a field of one variable proves: the i-th that of
// the i-th name.
type presence struct {
	slot       int
	names      *view.Names
	conditions []*condition
	cost       int64 // of all tests
}

// presenceCost is what !has(x.field) || … costs at most.
const presenceCost = identCost + callCost + 2*callCost + identCost

// absentField returns the field in a test has(x.field) that must be no, or nil.
func (p *planner) absentField(e ast.Expr, want truth) *absentField {
	if want != no || e.Kind() != ast.SelectKind || !e.AsSelect().IsTestOnly() || e.AsSelect().Operand().Kind() != ast.IdentKind {
		return nil
	}
	of := e.AsSelect().Operand()
	slot, ok := p.vars[of.AsIdent()]
	if get := p.access(of, e.AsSelect().FieldName()); ok && get != nil && get.typ != nil {
		return &absentField{slot, get.name}
	}
	return nil
}

// group puts together the conditions that fields of one variable prove, here and below.
func (all *conditions) group() {
	var names [][]string
	for _, c := range all.all {
		c.rest.group()
		if c.field == nil {
			all.others = append(all.others, c)
			continue
		}
		i := 0
		for i < len(names) && (all.absent[i].slot != c.field.slot || len(names[i]) == view.MostNames) {
			i++
		}
		if i == len(names) {
			all.absent, names = append(all.absent, presence{slot: c.field.slot}), append(names, nil)
		}
		names[i] = append(names[i], c.field.name)
		all.absent[i].conditions = append(all.absent[i].conditions, c)
		all.absent[i].cost += presenceCost * c.rules
	}
	for i := range names {
		all.absent[i].names = view.NewNames(names[i], nil)
	}
}

// provesPresent reports whether the conditions of all fields that may be set are proven.
func (m *Machine) provesPresent(p *presence) bool {
	m.cost += p.cost
	of := &m.slots[p.slot]
	if of.kind != aView {
		return false
	}
	set := ^uint64(0) >> (view.MostNames - len(p.conditions))
	if fields, ok := p.names.In(of.v); ok {
		set = fields.MaySet()
	}
	for ; set != 0; set &= set - 1 {
		c := p.conditions[bits.TrailingZeros64(set)]
		if (c.last || !m.proves(&c.rest)) && !m.provesOne(c) {
			return false
		}
	}
	return true
}
