package read

import (
	"go/constant"
	"go/token"
	"go/types"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// ofEarlier returns entries as those that earlier iterations of a loop made.
func ofEarlier(l *loop, entries []entry) []entry {
	var all []entry
	for _, one := range entries {
		at := len(one.path) - 1
		for at >= 0 && (one.path[at].loop == nil || !sameExpr(one.path[at].loop.list, l.list)) {
			at--
		}
		if at >= 0 && !l.isMap {
			earlier := celexpr.Call(operators.Less, celexpr.Name(one.path[at].loop.index), celexpr.Name(l.index))
			made := append(path(nil), one.path...)
			atoms := made[at].atoms
			made[at].atoms = append(atoms[:len(atoms):len(atoms)], atom{condition: that(earlier)})
			one.path = made
		}
		all = append(all, one)
	}
	return all
}

// leaveBy notes that the statements after a loop run if none of its returns did.
func (a *activation) leaveBy(s *state, returns []exit) {
	for _, one := range returns {
		failed := false
		for _, v := range one.values {
			if f, ok := v.(failures); ok && f.any(one.path) == yes {
				failed = true
			}
		}
		s.path = s.path.with(not(one.path.beyond(s.path, true)), failed)
	}
}

// after returns a variable after a loop.
func (a *activation) after(of slot, before value, l *loop, base path, exits []*state, breaks int, pos token.Pos) value {
	result := before
	for i, exit := range exits {
		v, _ := of.in(exit.env)
		switch x := v.(type) {
		case collection:
			if y, ok := asCollection(result); ok {
				result = collection{entries: append(y.entries[:len(y.entries):len(y.entries)], ofLoop(newEntries(y, x), l)...)}
				continue
			}
		case loopVariable:
			continue
		}
		was, isFlag := before.(known)
		for _, one := range changedIn(v, yes) {
			is, ok := one.then.(known)
			isFlag = isFlag && ok && is.value.Kind() == constant.Bool && !same(is, was)
		}
		var last value
		for _, one := range changedIn(v, exit.path.beyond(base, true)) {
			if last != nil && !same(last, one.then) || breaks > 0 && i >= breaks {
				return a.unreadAt(pos, "a variable to which a loop assigns different values")
			}
			last = one.then
			if c, ok := v.(choice); ok && isFlag { // it is set once, and asked as long as it is not
				one.when = one.when.replaced(a.flagBefore(c, was))
			}
			result = a.once(one.then, one.when, result, l, i < breaks, pos)
		}
	}
	return result
}

// ofLoop returns the entries that the iteration itself made, and not those of earlier ones.
func ofLoop(entries []entry, l *loop) []entry {
	var all []entry
	for _, one := range entries {
		for _, f := range one.path {
			if f.loop == l {
				all = append(all, one)
				break
			}
		}
	}
	return all
}

// flagBefore returns a function that replaces a flag in an iteration by what it was before the loop.
func (a *activation) flagBefore(in choice, was known) func(celexpr.Expr) celexpr.Expr {
	var flag celexpr.Expr
	var find func(v value)
	find = func(v value) {
		switch x := v.(type) {
		case loopVariable:
			flag = a.opaque(x.now)
		case choice:
			find(x.then)
			find(x.otherwise)
		}
	}
	find(in)
	return func(e celexpr.Expr) celexpr.Expr {
		return celexpr.Replace(e, func(part celexpr.Expr) celexpr.Expr {
			if flag != nil && part.Kind() == flag.Kind() && sameExpr(part, flag) {
				return literal(was.value)
			}
			return nil
		})
	}
}

// changedIn returns what an iteration makes of a variable, and when, but for where it leaves it.
func changedIn(v value, when *condition) []choice {
	switch x := v.(type) {
	case loopVariable:
		return nil
	case choice:
		if !mayCarry(x) {
			break
		}
		return append(changedIn(x.then, and(when, x.when)), changedIn(x.otherwise, and(when, not(x.when)))...)
	}
	if when == no {
		return nil
	}
	return []choice{{when: when, then: v}}
}

// mayCarry reports whether a variable may be as it was before an iteration.
func mayCarry(v value) bool {
	switch x := v.(type) {
	case loopVariable:
		return true
	case choice:
		return mayCarry(x.then) || mayCarry(x.otherwise)
	}
	return false
}

// once returns a variable that a loop sets for an item that fulfils a condition.
func (a *activation) once(v value, when *condition, before value, l *loop, first bool, pos token.Pos) value {
	if _, ok := v.(increment); ok {
		count := celexpr.Call("size", celexpr.Method(l.list, "filter", celexpr.Name(l.name), when.asExpr()))
		return a.binary(token.ADD, before, place{expr: count, typ: types.Typ[types.Int], has: l.has, within: lengths}, pos)
	}
	found := found(v, when, l, first)
	if found == nil {
		return a.unreadAt(pos, "a variable that a loop assigns")
	}
	return choice{and(l.has, l.exists(when)), found, before}
}

// found returns a value of a loop for the first item that fulfils a condition, or the last; nil: that cannot be said.
func found(v value, when *condition, l *loop, first bool) value {
	all := celexpr.Method(l.list, "filter", celexpr.Name(l.name), when.asExpr())
	at := celexpr.Literal(int64(0))
	if !first {
		at = celexpr.Call(operators.Subtract, celexpr.Call("size", all), celexpr.Literal(int64(1)))
	}
	item := celexpr.Call(operators.Index, all, at)
	if isLarge(item) {
		return nil
	}
	replaced := func(e celexpr.Expr) celexpr.Expr {
		return celexpr.Replace(e, func(part celexpr.Expr) celexpr.Expr {
			if isName(part, l.name) {
				return item
			}
			return nil
		})
	}
	switch x := v.(type) {
	case place:
		if uses(x.expr, l.index) || when.uses(l.index) && uses(x.expr, l.name) {
			return nil
		}
		return renamed(place{expr: x.expr, typ: x.typ, has: x.has, inBytes: x.inBytes, within: x.within}, replaced)
	case truth:
		if x.when.uses(l.index) || when.uses(l.index) && x.when.uses(l.name) {
			return nil
		}
		return truth{x.when.replaced(replaced)}
	case term:
		if uses(x.expr, l.index) || when.uses(l.index) && uses(x.expr, l.name) {
			return nil
		}
		return renamed(x, replaced)
	case known, nothing, fieldPath, text:
		return x
	case pointer:
		if to := found(x.to, when, l, first); to != nil {
			return pointer{to}
		}
	case failures:
		return x
	}
	return nil
}
