package cel

import (
	"math"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/traits"
)

// Tests that compare two values.

func (p *planner) equals(args []ast.Expr, want truth) test {
	if t := p.typeTest(args, want); t != nil {
		return t
	}
	if t := p.equalTexts(args, want); t != nil {
		return t
	}
	function := operators.Equals
	if want == no {
		function = operators.NotEquals
	}
	if t := p.compareIntegers(function, args); t != nil {
		return t
	}
	a, b := p.step(args[0]), p.step(args[1])
	if a == nil || b == nil {
		return nil
	}
	return func(m *machine) truth {
		m.cost += callCost
		x := a(m)
		y := b(m)
		if x.kind == anError || (y.kind == anError && !x.unknown()) {
			return failed
		}
		t := m.equal(&x, &y)
		if want == no {
			t = t.not()
		}
		return t
	}
}

// typeTest plans type(x) == int and the like: how rules tell what an int-or-string
// is.
func (p *planner) typeTest(args []ast.Expr, want truth) test {
	if !isCall(args[0], "type", 1) || args[1].Kind() != ast.IdentKind {
		return nil
	}
	kind, ok := map[string]datumKind{"int": anInt, "string": aText, "bool": aBool, "double": aDouble}[args[1].AsIdent()]
	if _, variable := p.vars[args[1].AsIdent()]; !ok || variable {
		return nil
	}
	value := p.step(arguments(args[0].AsCall())[0])
	if value == nil {
		return nil
	}
	return func(m *machine) truth {
		m.cost += identCost + 2*callCost
		d := value(m)
		switch d.kind {
		case aBool, anInt, aDouble, aText:
			return truthOf((d.kind == kind) == (want == yes))
		}
		return unsure
	}
}

func (p *planner) ordered(function string, args []ast.Expr) test {
	if t := p.compareIntegers(function, args); t != nil {
		return t
	}
	a, b := p.step(args[0]), p.step(args[1])
	if a == nil || b == nil {
		return nil
	}
	swap := function == operators.Greater || function == operators.GreaterEquals
	orEqual := function == operators.LessEquals || function == operators.GreaterEquals
	return func(m *machine) truth {
		m.cost += callCost
		x := a(m)
		y := b(m)
		if x.kind == anError || (y.kind == anError && !x.unknown()) {
			return failed
		}
		if swap {
			x, y = y, x
		}
		if x.kind != y.kind {
			return unsure
		}
		switch x.kind {
		case aRef:
			return compareRefs(&x, &y, orEqual)
		case anInt, aDuration:
			return truthOf(x.n < y.n || (orEqual && x.n == y.n))
		case aDouble:
			if math.IsNaN(x.f) || math.IsNaN(y.f) {
				return unsure
			}
			return truthOf(x.f < y.f || (orEqual && x.f == y.f))
		case aText:
			m.cost += int64(min(len(x.s), len(y.s)) / 10)
			return truthOf(x.s < y.s || (orEqual && x.s == y.s))
		}
		return unsure
	}
}

// compareRefs compares durations and dates.
func compareRefs(x, y *datum, orEqual bool) truth {
	c, ok := x.ref.(traits.Comparer)
	if !ok {
		return unsure
	}
	order, ok := c.Compare(y.ref).(types.Int)
	if !ok {
		return unsure
	}
	return truthOf(order < 0 || (orEqual && order == 0))
}

// in plans x in list and key in map.
func (p *planner) in(args []ast.Expr) test {
	if t := p.inTexts(args); t != nil {
		return t
	}
	if t := p.inMap(args); t != nil {
		return t
	}
	a, b := p.step(args[0]), p.step(args[1])
	if a == nil || b == nil {
		return nil
	}
	return func(m *machine) truth {
		m.cost += callCost
		x := a(m)
		y := b(m)
		switch {
		case x.unknown():
			return unsure
		case y.isMap() && x.kind == aText:
			v, shape, ok := m.entry(y.v, y.shape, x.s)
			if d := (datum{kind: aBool}); ok {
				if d = load(v, shape); d.kind == gaveUp {
					return unsure
				}
			}
			m.cost += int64(m.read.Len(y.v))
			return truthOf(ok)
		case y.isList():
			return m.contains(&x, &y)
		}
		return unsure
	}
}

// containsText looks for a text in a list that a rule made.
func containsText(text string, items []datum) truth {
	for i := range items {
		switch {
		case items[i].kind != aText:
			return unsure
		case items[i].s == text:
			return yes
		}
	}
	return no
}

func (m *machine) contains(x, list *datum) truth {
	n := m.size(list)
	if !m.charge(n) {
		return unsure
	}
	if list.kind == aList && x.kind == aText {
		return containsText(x.s, list.items)
	}
	spent := m.cost // cel-go does not count the comparisons
	for i := range int(n) {
		item := m.at(list, i)
		a, b := x, &item
		// The order matters for objects with unknown fields: a list of the object compares
		// its item with x (see list.Contains), a list of cel-go x with its item.
		if list.addsAs() != nil {
			a, b = b, a
		}
		t := m.equal(a, b)
		if m.cost = spent; t != no {
			return t
		}
	}
	return no
}
