package plan

import (
	"math/bits"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Rules about fields that exclude each other look at those that are set:
// [has(x.a), has(x.b)].filter(set, set).size() counts them, and exists(set, set) asks for one.

// counted are tests has(x.field) of one variable, the i-th that of the i-th name.
type counted struct {
	slot  int
	names *view.Names
	tests []test
	cost  int64 // of the list and its loop, without the tests
}

// counted returns the tests in a list of nothing else, or nil for other expressions.
func (p *planner) counted(e ast.Expr) *counted {
	if e.Kind() != ast.ListKind {
		return nil
	}
	list := e.AsList()
	if n := list.Size(); n == 0 || n > view.MostNames || len(list.OptionalIndices()) > 0 {
		return nil
	}
	c := &counted{cost: 2*listCost + int64(list.Size())*(loopCost+listCost+callCost+identCost+2*identCost+callCost)}
	var names []string
	for _, has := range list.Elements() {
		slot, name, ok := p.presenceOf(has)
		if !ok || c.slot != 0 && c.slot != slot {
			return nil
		}
		c.slot, names, c.tests = slot, append(names, name), append(c.tests, p.test(has))
	}
	c.names = view.NewNames(names, nil)
	return c
}

// isFilterOfTrue reports whether an expression is a loop filter(set, set).
func isFilterOfTrue(e ast.Expr) bool {
	if e.Kind() != ast.ComprehensionKind {
		return false
	}
	c := e.AsComprehension()
	if c.HasIterVar2() || c.AccuInit().Kind() != ast.ListKind || c.AccuInit().AsList().Size() > 0 ||
		!isLiteral(c.LoopCondition(), true) || !isIdent(c.Result(), c.AccuVar()) || !IsCall(c.LoopStep(), operators.Conditional, 3) {
		return false
	}
	args := c.LoopStep().AsCall().Args()
	item, ok := isAppend(args[1], c.AccuVar())
	return ok && isIdent(args[0], c.IterVar()) && isIdent(item, c.IterVar()) && isIdent(args[2], c.AccuVar())
}

// count returns the number of tests that are true, or -1 if the plan gives up.
func (c *counted) count(m *Machine) (n int64) {
	m.cost += c.cost
	of := &m.slots[c.slot]
	if of.kind != aView {
		return -1
	}
	for set := maySet(c.names, of.v, len(c.tests)); set != 0; set &= set - 1 {
		switch c.tests[bits.TrailingZeros64(set)](m) {
		case yes:
			n++
		case no:
		default:
			return -1
		}
	}
	return n
}

// sizeOfTrue plans [tests].filter(set, set).size().
func (p *planner) sizeOfTrue(list ast.Expr) planned {
	c := p.counted(list)
	if c == nil {
		return planned{}
	}
	return planned{step: func(m *Machine, into *datum) {
		m.cost += callCost
		if n := c.count(m); n >= 0 {
			into.setInt(n)
			return
		}
		into.giveUp()
	}}
}

// existsTrue plans [tests].exists(set, set), or is nil for other loops.
func (p *planner) existsTrue(loop ast.ComprehensionExpr, body ast.Expr) test {
	if loop.HasIterVar2() || !isIdent(body, loop.IterVar()) {
		return nil
	}
	c := p.counted(loop.IterRange())
	if c == nil {
		return nil
	}
	return func(m *Machine) truth {
		n := c.count(m)
		if n < 0 {
			return unsure
		}
		return truthOf(n > 0)
	}
}

// maySet gives those of some names that may be set in a value, a bit each.
func maySet(names *view.Names, in view.View, all int) uint64 {
	if fields, ok := names.In(in); ok {
		return fields.MaySet()
	}
	return ^uint64(0) >> (view.MostNames - all)
}
