package read

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// grouped is what a map has for a key if loops append to it or count it: the entries of the key are the items.
type grouped struct{}

// amount is how many errors, entries or items there are.
type amount struct {
	any *condition
	// count is nil if it is not known, for a reason.
	count celexpr.Expr
	why   unknown
}

// is returns the condition of a comparison with a number: whether there are any is always known.
func (n amount) is(a *activation, op token.Token, with value) *condition {
	if k, ok := with.(known); ok {
		number, _ := constant.Int64Val(k.value)
		switch {
		case op == token.EQL && number == 0, op == token.LEQ && number == 0, op == token.LSS && number == 1:
			return not(n.any)
		case op == token.GTR && number == 0, op == token.GEQ && number == 1:
			return n.any
		}
	}
	return that(celexpr.Call(comparisons[op], a.expr(n), a.expr(with)))
}

// groups reports whether a statement adds to what a map has for a key.
func (a *activation) groups(to, v ast.Expr) bool {
	at, ok := ast.Unparen(to).(*ast.IndexExpr)
	if !ok {
		return false
	}
	if _, isMap := a.info.TypeOf(at.X).Underlying().(*types.Map); !isMap || v == nil {
		return isMap
	}
	call, ok := ast.Unparen(v).(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || call.Ellipsis.IsValid() {
		return false
	}
	name, ok := call.Fun.(*ast.Ident)
	return ok && name.Name == "append" && types.ExprString(call.Args[0]) == types.ExprString(to)
}

// counted returns how many entries of a collection have a key. With a nil key, all count.
func (a *activation) counted(of collection, key value, s *state, pos token.Pos) amount {
	total := amount{any: no, count: celexpr.Literal(int64(0)), why: a.unreadAt(pos, "how many entries there are")}
	for _, one := range of.entries {
		at := len(one.path) - 1
		if one.path.shares(s.path, at) { // at most once
			here := one.path.beyond(s.path, true)
			if key != nil {
				here = and(here, a.equalKeys(one.key, key, pos))
			}
			total.any = or(total.any, here)
			total.add(choose(here, celexpr.Literal(int64(1)), celexpr.Literal(int64(0))))
			continue
		}
		l := one.path[at].loop
		if l == nil || at > 0 && !one.path.shares(s.path, at-1) {
			with := one.path
			if key != nil {
				with = with.with(a.equalKeys(one.key, key, pos), false)
			}
			total.any = or(total.any, with.beyond(s.path, true))
			total.count = nil
			continue
		}
		fresh := a.newLoop(place{expr: l.list, typ: types.Typ[types.Int], has: l.has})
		fresh.isMap = l.isMap
		by := func(e celexpr.Expr) celexpr.Expr { return replacedNames(e, l, fresh) }
		when := yes
		for _, atom := range one.path[at].atoms {
			when = and(when, atom.condition.replaced(by))
		}
		if key != nil {
			when = and(when, a.compare(token.EQL, renamed(one.key, by), key, pos))
		}
		outer := one.path[:at].beyond(s.path, true)
		total.any = or(total.any, and(outer, fresh.exists(when)))
		if when.uses(fresh.index) || total.count == nil {
			total.count = nil
			continue
		}
		size := celexpr.Call("size", celexpr.Method(l.list, "filter", celexpr.Name(fresh.name), when.asExpr()))
		total.add(choose(and(outer, l.has), size, celexpr.Literal(int64(0))))
	}
	return total
}

// add adds a number to a count that is known.
func (n *amount) add(more celexpr.Expr) {
	switch {
	case n.count == nil:
	case celexpr.ValueOf(n.count) == int64(0):
		n.count = more
	default:
		n.count = celexpr.Call(operators.Add, n.count, more)
	}
}

// mayRepeat reports whether two entries may have one key: none does if all are different
// constants that no other loop puts in.
func (c collection) mayRepeat(at path) bool {
	var keys []value
	for _, one := range c.entries {
		if one.key == nil {
			continue
		}
		isThere := func(key value) bool { return same(key, one.key) }
		if _, isKnown := one.key.(known); !isKnown || !one.path.shares(at, len(one.path)-1) || slices.ContainsFunc(keys, isThere) {
			return true
		}
		keys = append(keys, one.key)
	}
	return false
}

// isGrouped reports whether loops add to what a map has for its keys.
func (c collection) isGrouped() bool {
	return slices.ContainsFunc(c.entries, func(one entry) bool { return one.value == grouped{} })
}

// replacedNames returns an expression with the variables of a loop in place of those of another.
func replacedNames(e celexpr.Expr, from, to *loop) celexpr.Expr {
	return celexpr.Replace(e, func(part celexpr.Expr) celexpr.Expr {
		switch {
		case isName(part, from.name):
			return celexpr.Name(to.name)
		case isName(part, from.index):
			return celexpr.Name(to.index)
		}
		return nil
	})
}
