package cel

import (
	"encoding/binary"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// Rules that ask whether the items of a list are unique, or are named in another list,
// are loops in loops:
//
//	self.all(a, self.exists_one(b, a.name == b.name && ...))
//
// Where the test of the inner loop begins with equalities of the inner item and of what is
// outside, items that differ there are not looked at one by one: an index of the list is
// made when the loop is first entered, and only the items are visited that are equal. What
// cel-go would count for the others is added at once, at least.

// join is an inner loop with an index.
type join struct {
	number     int
	own, other []step // the two sides of each equality, the item's first
	terms      int64  // operators that join the equalities
}

// join plans the index of a loop whose test is body; miss is what the test is where an
// equality does not hold. It is nil when the loop has to look at all items. It must be
// called within the scope of the variable.
func (p *planner) join(c ast.ComprehensionExpr, body ast.Expr, miss truth) *join {
	if c.HasIterVar2() || !p.isFixed(c.IterRange()) {
		return nil
	}
	j := &join{number: p.joins, terms: 2}
	for _, e := range equalities(body, miss, &j.terms) {
		args := e.AsCall().Args()
		own, other := args[0], args[1]
		if mentions(other, c.IterVar()) {
			own, other = other, own
		}
		if mentions(other, c.IterVar()) || !p.isOf(own, c.IterVar()) {
			break
		}
		a, b := p.step(own), p.step(other)
		if a == nil || b == nil {
			break
		}
		j.own, j.other = append(j.own, a), append(j.other, b)
	}
	if len(j.own) == 0 {
		return nil
	}
	p.joins++
	return j
}

// equalities are the equalities of a test that decide it first: when one of them does not
// hold, the test is miss.
func equalities(body ast.Expr, miss truth, terms *int64) []ast.Expr {
	switch {
	case miss == no:
		return leading(body, operators.LogicalAnd, operators.Equals, terms)
	case isCall(body, operators.Conditional, 3) && isLiteral(body.AsCall().Args()[2], true):
		return leading(body.AsCall().Args()[0], operators.LogicalAnd, operators.Equals, terms)
	case isCall(body, operators.LogicalNot, 1):
		return leading(body.AsCall().Args()[0], operators.LogicalAnd, operators.Equals, terms)
	}
	return leading(body, operators.LogicalOr, operators.NotEquals, terms)
}

// leading are the comparisons that a chain of && or || begins with.
func leading(e ast.Expr, chain, comparison string, terms *int64) []ast.Expr {
	var found []ast.Expr
	var visit func(e ast.Expr) bool
	visit = func(e ast.Expr) bool {
		*terms++
		switch {
		case isCall(e, chain, 2):
			return visit(e.AsCall().Args()[0]) && visit(e.AsCall().Args()[1])
		case isCall(e, comparison, 2):
			found = append(found, e)
			return true
		}
		return false
	}
	visit(e)
	return found
}

// mentions says that a path, or anything else, is about a variable.
func mentions(e ast.Expr, variable string) bool {
	for {
		switch e.Kind() {
		case ast.IdentKind:
			return e.AsIdent() == variable
		case ast.SelectKind:
			e = e.AsSelect().Operand()
		case ast.LiteralKind:
			return false
		default:
			return true // not looked into
		}
	}
}

// isOf says that an expression is a path of fields from a variable.
func (p *planner) isOf(e ast.Expr, variable string) bool {
	return e.Kind() != ast.LiteralKind && mentions(e, variable) && isPath(e)
}

func isPath(e ast.Expr) bool {
	for e.Kind() == ast.SelectKind && !e.AsSelect().IsTestOnly() {
		e = e.AsSelect().Operand()
	}
	return e.Kind() == ast.IdentKind
}

// isFixed says that an expression is the same all the time that a rule runs: a path from
// self or oldSelf.
func (p *planner) isFixed(e ast.Expr) bool {
	if !isPath(e) {
		return false
	}
	for e.Kind() == ast.SelectKind {
		e = e.AsSelect().Operand()
	}
	slot, ok := p.vars[e.AsIdent()]
	return ok && slot < firstLoopSlot
}

// index is the index of a join on one list.
type index struct {
	run    uint64 // of the machine, for which it was made
	usable bool
	items  map[string][]int // with a key, in order
	kinds  []datumKind
	cost   int64 // of the dearest key
}

// fewest is how many items a list has at least for an index to be worth it.
const fewest = 6

// mostKept is the most items whose index is used again.
const mostKept = 1 << 12

// visit calls body for those items of a list that a join does not rule out. known is false
// when all of them have to be visited one by one.
func (m *machine) visit(j *join, d *datum, l *loop, body func(m *machine) bool) (known, ok bool) {
	n := int(m.size(d))
	if n < fewest {
		return false, true
	}
	for len(m.indexes) <= j.number {
		m.indexes = append(m.indexes, &index{items: map[string][]int{}})
	}
	x := m.indexes[j.number]
	if x.run != m.run {
		m.indexItems(x, j, d, l, n)
	}
	spent := m.cost
	if !x.usable || !m.probe(x, j) {
		m.cost = spent
		return false, true
	}
	key := m.probed
	each := loopCost + x.cost + (m.cost - spent) + callCost*(j.terms+int64(len(j.own))) + int64(len(key))/10
	m.cost = spent
	skipped := int64(n)
	more := true
	for _, i := range x.items[string(key)] {
		if !more {
			break
		}
		skipped--
		if m.slots[l.slot] = m.at(d, i); !m.charge(loopCost) {
			return true, false
		}
		more = body(m)
	}
	return true, m.charge(skipped * each)
}

// indexItems makes an index of a list with n items.
func (m *machine) indexItems(x *index, j *join, d *datum, l *loop, n int) {
	x.run, x.usable, x.cost, x.kinds = m.run, false, 0, x.kinds[:0]
	if clear(x.items); n > mostKept {
		x.items = map[string][]int{} // a map that was large stays dear to clear
	}
	spent := m.cost
	defer func() { m.cost = spent }() // nothing of this is done by cel-go
	for i := range n {
		if m.slots[l.slot] = m.at(d, i); m.slots[l.slot].kind == gaveUp {
			return
		}
		before := m.cost
		m.probed = m.probed[:0]
		for k, s := range j.own {
			value := s(m)
			if i == 0 {
				x.kinds = append(x.kinds, value.kind)
			}
			var ok bool
			if m.probed, ok = appendKey(m.probed, &value, x.kinds[k]); !ok {
				return
			}
		}
		x.cost = max(x.cost, m.cost-before)
		x.items[string(m.probed)] = append(x.items[string(m.probed)], i)
	}
	x.usable = true
}

// probe makes the key that is looked for.
func (m *machine) probe(x *index, j *join) bool {
	m.probed = m.probed[:0]
	for k, s := range j.other {
		value := s(m)
		var ok bool
		if m.probed, ok = appendKey(m.probed, &value, x.kinds[k]); !ok {
			return false
		}
	}
	return true
}

// appendKey appends a scalar of a kind. It is false for anything else.
func appendKey(key []byte, d *datum, kind datumKind) ([]byte, bool) {
	if d.kind != kind {
		return key, false
	}
	switch kind {
	case aText:
		return append(binary.AppendUvarint(key, uint64(len(d.s))), d.s...), true
	case anInt, aBool:
		return binary.AppendVarint(key, d.n), true
	}
	return key, false
}
