package plan

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/debug"
	"github.com/google/cel-go/common/operators"
)

// A plan is a tree of conditions. Rules of one schema often begin alike, as in
// !has(self.containers) || …, and walk the same lists: a condition that several rules have is tested
// once, and their loops over one list are one loop.

// condition is an expression of rules up to where they differ: a test that makes the rest
// unnecessary, or a loop.
type condition struct {
	text      string // of the expression and the wanted result: other rules find the condition by it
	rules     int64  // how many rules have it
	test      test   // nil of a loop
	want      truth
	unplanned bool // the test cannot be planned
	last      bool // a rule ends here: only the test can prove it
	loop      *loop
	slots     int // that are taken in the loop before its rest
	field     *absentField
	// rest must be proven if the test does not prove the condition, or for each item of the loop.
	rest conditions
}

// conditions must all be proven, in any order.
type conditions struct {
	all    []*condition
	absent []presence   // those that the absence of a field proves
	others []*condition // the rest of all
}

// require adds to others that an expression must be yes or no.
func (p *planner) require(e ast.Expr, want truth, others *conditions) {
	e, want = withoutNot(e, want)
	all, any := operators.LogicalAnd, operators.LogicalOr
	if want == no {
		all, any = any, all
	}
	if IsCall(e, all, 2) {
		for _, each := range operands(all, e, nil) {
			p.require(each, want, others)
		}
		return
	}
	alternatives := operands(any, e, nil)
	end := len(alternatives) - 1
	for _, alternative := range alternatives[:end] {
		others = &p.condition(alternative, want, others).rest
	}
	switch last, want := withoutNot(alternatives[end], want); {
	case IsCall(last, operators.LogicalAnd, 2) || IsCall(last, operators.LogicalOr, 2):
		p.require(last, want, others)
	case !p.requireOfEach(last, want, others):
		p.condition(last, want, others).last = true
	}
}

// withoutNot takes ! off an expression that must be yes or no.
func withoutNot(e ast.Expr, want truth) (ast.Expr, truth) {
	for IsCall(e, operators.LogicalNot, 1) {
		e, want = e.AsCall().Args()[0], want.not()
	}
	return e, want
}

// condition finds a condition among others, or adds it.
func (p *planner) condition(e ast.Expr, want truth, others *conditions) *condition {
	e, want = withoutNot(e, want)
	text := p.textOf(e)
	if want == no {
		text = "!" + text
	}
	c := p.find(text, others)
	if c == nil {
		defer func(free int) { p.slots = free }(p.slots)
		c = others.add(condition{text: text, want: want, test: p.test(e), field: p.absentField(e, want)})
		if c.unplanned = c.test == nil; c.unplanned {
			c.test, p.partial = func(*Machine) truth { return unsure }, true
		}
	}
	c.rules++
	return c
}

// requireOfEach adds that a macro all must be yes, or exists no: then something is yes or no of each
// item. It is false for other expressions.
func (p *planner) requireOfEach(e ast.Expr, want truth, others *conditions) bool {
	if e.Kind() != ast.ComprehensionKind {
		return false
	}
	c := e.AsComprehension()
	body, ok := bodyOf(c, want)
	if !ok {
		return false
	}
	text := "each " + c.IterVar() + ", " + c.IterVar2() + " of " + p.textOf(c.IterRange())
	found := p.find(text, others)
	var leave func()
	defer func(free int) { p.slots = free }(p.slots)
	if found == nil {
		l, left, ok := p.enter(c)
		if !ok {
			return false
		}
		found, leave = others.add(condition{text: text, loop: &l, slots: p.slots}), left
	} else {
		leave = p.reenter(c, found.loop)
		p.slots = found.slots
	}
	found.rules++
	p.require(body, want, &found.rest)
	leave()
	return true
}

// bodyOf returns the body of a loop that must be yes or no of each item if the loop must be.
func bodyOf(c ast.ComprehensionExpr, want truth) (ast.Expr, bool) {
	operator := operators.LogicalAnd
	if want == no {
		operator = operators.LogicalOr
	}
	if c.AccuVar() == c.IterVar() || c.AccuVar() == c.IterVar2() || !isLiteral(c.AccuInit(), want == yes) ||
		!IsCall(c.LoopStep(), operator, 2) || !isIdent(c.Result(), c.AccuVar()) {
		return nil, false
	}
	args := c.LoopStep().AsCall().Args()
	return args[1], isIdent(args[0], c.AccuVar())
}

// textOf returns the text of an expression if other rules may have it too.
func (p *planner) textOf(e ast.Expr) string {
	if !p.shares {
		return ""
	}
	return debug.ToDebugString(e)
}

// find returns the condition of a text that another rule may have added, or nil.
func (p *planner) find(text string, among *conditions) *condition {
	if !p.shares {
		return nil
	}
	i := slices.IndexFunc(among.all, func(c *condition) bool { return c.text == text })
	if i < 0 {
		return nil
	}
	return among.all[i]
}

func (all *conditions) add(c condition) *condition {
	all.all = append(all.all, &c)
	return &c
}

// unplanned reports whether the first test cannot be planned, so the plan would never prove anything.
func (all *conditions) unplanned() bool {
	first := all.all[0]
	if first.loop != nil {
		return first.rest.unplanned()
	}
	return first.unplanned
}

// proves reports whether all conditions are proven.
func (m *Machine) proves(all *conditions) bool {
	for i := range all.absent {
		if !m.provesPresent(&all.absent[i]) {
			return false
		}
	}
	for _, c := range all.others {
		if !m.provesOne(c) {
			return false
		}
	}
	return true
}

// provesOne reports whether a condition is proven. It costs what it would cost in each of its rules.
func (m *Machine) provesOne(c *condition) bool {
	before := m.cost
	if c.loop == nil {
		result := c.test(m)
		m.cost += (m.cost-before)*(c.rules-1) + 2*callCost*c.rules
		return result == c.want || result != unsure && !c.last && m.proves(&c.rest)
	}
	over := c.loop.over.at(m)
	m.cost += (m.cost-before)*(c.rules-1) + loopCost*c.rules
	sure := true
	done := m.each(over, c.loop, func(m *Machine) bool {
		m.cost += (c.rules - 1) * loopCost
		sure = m.proves(&c.rest)
		return sure
	})
	return done && sure
}
