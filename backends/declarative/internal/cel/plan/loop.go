package plan

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// Loops are the expansions of the macros all, exists, exists_one, filter, map and optMap
// (parser/macro.go and cel/macro.go of cel-go).

// each calls body for each item of a list, or each key of a map in order, until body returns false. It
// is false if the plan gives up.
func (m *Machine) each(d *operand, l *loop, body func(m *Machine) (more bool)) bool {
	switch {
	case d.isList():
		return m.eachItem(d, l, body)
	case d.isMap():
		return m.eachEntry(d, l, body)
	}
	return false
}

func (m *Machine) eachItem(d *operand, l *loop, body func(m *Machine) (more bool)) bool {
	slot := l.slot
	for i := range int(m.size(d)) {
		if l.second >= 0 {
			m.slots[l.slot].setInt(int64(i))
			slot = l.second
		}
		m.at(d, i, &m.slots[slot])
		if m.slots[slot].kind == gaveUp || !m.charge(loopCost) {
			return false
		}
		if !body(m) {
			break
		}
	}
	return true
}

func (m *Machine) eachEntry(d *operand, l *loop, body func(m *Machine) (more bool)) bool {
	for _, e := range m.read.Entries(d.v) {
		if !d.typ.Counts(e.Value) {
			continue
		}
		if m.slots[l.slot].setText(e.Key); !m.charge(loopCost) {
			return false
		}
		if l.second >= 0 {
			if m.slots[l.second].load(e.Value, d.typ.Elem); m.slots[l.second].kind == gaveUp {
				return false
			}
		}
		if !body(m) {
			break
		}
	}
	return true
}

// loop is a comprehension with its variable in a slot. With a second variable, the first
// is the index or key and the second the item or entry; second is -1 without one.
type loop struct {
	over         valueRef
	slot, second int
}

// enter plans the range of a comprehension and gives its variable a slot. leave ends
// the scope of the variable.
func (p *planner) enter(c ast.ComprehensionExpr) (l loop, leave func(), ok bool) {
	l.over = p.valueRef(c.IterRange())
	if l.over.none() {
		return loop{}, nil, false
	}
	l.slot, l.second = p.slot(), -1
	if c.HasIterVar2() {
		l.second = p.slot()
	}
	return l, p.reenter(c, &l), true
}

// reenter begins the scope of the variables of a comprehension that have slots. leave ends it.
func (p *planner) reenter(c ast.ComprehensionExpr, l *loop) (leave func()) {
	first := p.scope(c.IterVar(), l.slot)
	if !c.HasIterVar2() {
		return first
	}
	second := p.scope(c.IterVar2(), l.second)
	return func() { second(); first() }
}

// scope binds a name to a slot until the returned function is called.
func (p *planner) scope(name string, slot int) func() {
	outer, shadows := p.vars[name]
	p.vars[name] = slot
	return func() {
		delete(p.vars, name)
		if shadows {
			p.vars[name] = outer
		}
	}
}

// quantifier plans all, exists and exists_one: all and exists stop at the first item that decides.
func (p *planner) quantifier(c ast.ComprehensionExpr) test {
	if c.AccuVar() == c.IterVar() || c.AccuVar() == c.IterVar2() || c.LoopStep().Kind() != ast.CallKind {
		return nil
	}
	args := c.LoopStep().AsCall().Args()
	joins := func(operator string) bool {
		return IsCall(c.LoopStep(), operator, 2) && isIdent(args[0], c.AccuVar()) && isIdent(c.Result(), c.AccuVar())
	}
	switch {
	case isLiteral(c.AccuInit(), true) && joins(operators.LogicalAnd):
		return p.quantify(c, args[1], no, true)
	case isLiteral(c.AccuInit(), false) && joins(operators.LogicalOr):
		return p.quantify(c, args[1], yes, true)
	case isLiteral(c.AccuInit(), int64(0)) && countsOne(c):
		return p.quantify(c, args[0], yes, false)
	}
	return nil
}

// countsOne reports whether a loop adds one for some items and asks whether there was one.
func countsOne(c ast.ComprehensionExpr) bool {
	if !IsCall(c.LoopStep(), operators.Conditional, 3) || !IsCall(c.Result(), operators.Equals, 2) {
		return false
	}
	step, result := c.LoopStep().AsCall().Args(), c.Result().AsCall().Args()
	return IsCall(step[1], operators.Add, 2) && isIdent(step[1].AsCall().Args()[0], c.AccuVar()) &&
		isLiteral(step[1].AsCall().Args()[1], int64(1)) &&
		isIdent(step[2], c.AccuVar()) && isIdent(result[0], c.AccuVar()) && isLiteral(result[1], int64(1))
}

// quantify plans a loop that counts the items for which its body is sought: all of them, or only the first.
// The loop is sought if there is exactly one.
func (p *planner) quantify(c ast.ComprehensionExpr, body ast.Expr, sought truth, first bool) test {
	l, leave, ok := p.enter(c)
	if !ok {
		return nil
	}
	holds := p.test(body)
	leave()
	if holds == nil {
		return nil
	}
	return func(m *Machine) truth {
		d := l.over.at(m)
		found, sure := 0, true
		m.cost += loopCost
		ok := m.each(d, &l, func(m *Machine) bool {
			switch holds(m) {
			case sought:
				found++
				return !first
			case sought.not():
			default:
				sure = false
			}
			return sure
		})
		if !ok || !sure {
			return unsure
		}
		return truthOf(found == 1).is(sought)
	}
}

// comprehension plans map, filter and optMap.
func (p *planner) comprehension(c ast.ComprehensionExpr) step {
	if c.AccuVar() == c.IterVar() || c.AccuVar() == c.IterVar2() {
		return nil
	}
	if isLiteral(c.LoopCondition(), false) {
		return p.bind(c)
	}
	if c.AccuInit().Kind() != ast.ListKind || len(c.AccuInit().AsList().Elements()) > 0 || !isIdent(c.Result(), c.AccuVar()) {
		return nil
	}
	grow, when := c.LoopStep(), ast.Expr(nil)
	if IsCall(grow, operators.Conditional, 3) {
		args := grow.AsCall().Args()
		if !isIdent(args[2], c.AccuVar()) {
			return nil
		}
		when, grow = args[0], args[1]
	}
	element, ok := isAppend(grow, c.AccuVar())
	if !ok || !isLiteral(c.LoopCondition(), true) {
		return nil
	}
	l, leave, ok := p.enter(c)
	if !ok {
		return nil
	}
	filter := test(func(*Machine) truth { return yes })
	if when != nil {
		filter = p.test(when)
	}
	item := p.valueRef(element)
	leave()
	if filter == nil || item.none() {
		return nil
	}
	return collect(l, filter, item)
}

func collect(l loop, filter test, item valueRef) step {
	return func(m *Machine, into *operand) {
		d := l.over.at(m)
		var made []operand
		switch {
		case d.isList():
			made = m.list(int(m.size(d)))
		case d.isMap():
			made = m.list(m.read.Len(d.v))
		}
		sure := true
		m.cost += listCost
		ok := m.each(d, &l, func(m *Machine) bool {
			switch filter(m) {
			case no:
				return true
			case yes:
			default:
				sure = false
				return false
			}
			m.cost += listCost + callCost
			made = append(made, *item.at(m))
			sure = !made[len(made)-1].unknown()
			return sure
		})
		if into.setList(made); !ok || !sure {
			into.giveUp()
		}
	}
}

// bind plans the inside of optMap, which names a value: a loop over nothing whose result uses the
// accumulator.
func (p *planner) bind(c ast.ComprehensionExpr) step {
	if c.IterRange().Kind() != ast.ListKind || len(c.IterRange().AsList().Elements()) > 0 {
		return nil
	}
	value := p.step(c.AccuInit())
	if value == nil {
		return nil
	}
	slot := p.slot()
	leave := p.scope(c.AccuVar(), slot)
	result := p.step(c.Result())
	leave()
	if result == nil {
		return nil
	}
	return func(m *Machine, into *operand) {
		m.cost += listCost + loopCost
		if value(m, &m.slots[slot]); m.slots[slot].unknown() {
			into.giveUp()
			return
		}
		result(m, into)
	}
}

// isAppend reports whether an expression is accu + [x], and returns x.
func isAppend(e ast.Expr, accu string) (ast.Expr, bool) {
	if !IsCall(e, operators.Add, 2) {
		return nil, false
	}
	args := e.AsCall().Args()
	if !isIdent(args[0], accu) || args[1].Kind() != ast.ListKind || len(args[1].AsList().Elements()) != 1 ||
		len(args[1].AsList().OptionalIndices()) > 0 {
		return nil, false
	}
	return args[1].AsList().Elements()[0], true
}
