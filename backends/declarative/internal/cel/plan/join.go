package plan

import (
	"math"
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/debug"
	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/decl"
)

// Rules of one schema often begin alike, as in !has(self.containers) || …, and walk the same lists.
// Join makes one plan of them: what several begin with is tested once, and their loops over one
// list are one loop. The plan proves that all are true; it does not say which one is not.

// condition is what rules have in common up to where they differ: a test that makes up for all
// that follows, or a loop.
type condition struct {
	text  string // of the expression and what it should be; by it other rules find the condition
	rules int64  // how many have it
	test  test   // nil of a loop
	want  truth
	last  bool // a rule ends here: only the test can prove it
	loop  *loop
	slots int // that are taken in the loop before its rest
	guard *guard
	// rest is what must hold if the test does not, or for each item of the loop.
	rest conditions
}

// conditions must all hold, in any order. The guarded are looked at by their guards.
type conditions struct {
	all     []*condition
	guarded []guarded
	others  []*condition
}

// Join makes the plan of several rules on values of a type. Each must have a plan. Rules whose
// oldSelf is an optional may be among them, but no rules that need an oldSelf.
func Join(l Language, rules []*ast.AST, self *decl.Type) *Plan {
	p := newPlanner(l, nil, true)
	var all conditions
	for _, rule := range rules {
		p.checked = rule
		p.join(rule.Expr(), yes, &all)
	}
	all.group()
	run := func(m *Machine) truth { return truthOf(all.hold(m)) }
	return &Plan{run: run, slots: p.most, memos: len(p.expressions), self: self, limit: int64(min(l.PerCall, math.MaxInt64))}
}

// join adds to others that an expression must be yes or no.
func (p *planner) join(e ast.Expr, want truth, others *conditions) {
	e, want = withoutNot(e, want)
	all, any := operators.LogicalAnd, operators.LogicalOr
	if want == no {
		all, any = any, all
	}
	if IsCall(e, all, 2) {
		for _, each := range operands(all, e, nil) {
			p.join(each, want, others)
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
		p.join(last, want, others)
	case !p.joinLoop(last, want, others):
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
	text := debug.ToDebugString(e)
	if want == no {
		text = "!" + text
	}
	c := others.find(text)
	if c == nil {
		defer func(free int) { p.slots = free }(p.slots)
		c = others.add(condition{text: text, want: want, test: p.test(e), guard: p.guardOf(e, want)})
		if c.test == nil { // a part that is not planned
			c.test = func(*Machine) truth { return unsure }
		}
	}
	c.rules++
	return c
}

// joinLoop adds that a macro all must be yes, or exists no: then something is yes or no of each
// item. It is false for other expressions.
func (p *planner) joinLoop(e ast.Expr, want truth, others *conditions) bool {
	if e.Kind() != ast.ComprehensionKind {
		return false
	}
	c := e.AsComprehension()
	body, ok := bodyOf(c, want)
	if !ok {
		return false
	}
	text := "each " + c.IterVar() + ", " + c.IterVar2() + " of " + debug.ToDebugString(c.IterRange())
	found := others.find(text)
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
	p.join(body, want, &found.rest)
	leave()
	return true
}

// bodyOf is what must be so of each item if a loop must be yes or no.
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

// find returns the condition of a text, or nil.
func (all *conditions) find(text string) *condition {
	i := slices.IndexFunc(all.all, func(c *condition) bool { return c.text == text })
	if i < 0 {
		return nil
	}
	return all.all[i]
}

func (all *conditions) add(c condition) *condition {
	all.all = append(all.all, &c)
	return &c
}

// hold reports whether all conditions are proven.
func (all *conditions) hold(m *Machine) bool {
	for i := range all.guarded {
		if !all.guarded[i].hold(m) {
			return false
		}
	}
	for _, c := range all.others {
		if !c.holds(m) {
			return false
		}
	}
	return true
}

// holds reports whether a condition is proven. It costs what it would cost in each of its rules.
func (c *condition) holds(m *Machine) bool {
	before := m.cost
	if c.loop != nil {
		over := c.loop.over.at(m)
		m.cost += (m.cost-before)*(c.rules-1) + loopCost*c.rules
		return c.holdsOfEach(m, over)
	}
	result := c.test(m)
	m.cost += (m.cost-before)*(c.rules-1) + 2*callCost*c.rules
	return result == c.want || result != unsure && !c.last && c.rest.hold(m)
}

func (c *condition) holdsOfEach(m *Machine, over *datum) bool {
	sure := true
	done := m.each(over, c.loop, func(m *Machine) bool {
		m.cost += (c.rules - 1) * loopCost
		sure = c.rest.hold(m)
		return sure
	})
	return done && sure
}
