package read

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/diffrun/diffrun/internal/celexpr"
)

func (a *activation) builtin(s *state, name string, x *ast.CallExpr) value {
	switch name {
	case "len":
		return a.size(s, a.eval(s, x.Args[0]), x.Pos())
	case "append":
		return a.appended(s, x)
	case "min", "max":
		return a.extreme(s, map[string]token.Token{"min": token.LSS, "max": token.GTR}[name], x)
	case "make":
		switch a.info.TypeOf(x).Underlying().(type) {
		case *types.Map:
			return collection{}
		case *types.Slice:
			return zero(a.info.TypeOf(x))
		}
	case "delete", "copy", "clear":
		return changing(&call{activation: a, s: s, expr: x})
	case "new":
		if v, ok := zero(elem(a.info.TypeOf(x))).(*made); ok {
			return v
		}
		return pointer{zero(elem(a.info.TypeOf(x)))}
	case "panic":
		a.panics = append(a.panics, a.fail(s, Site{Pos: a.at(x.Pos()), Type: PanicType, Text: "…"}, yes).all...)
		s.over, s.failed = true, true
	}
	return a.unreadAt(x.Pos(), "the function "+name)
}

// extreme returns the smallest or the largest of values.
func (a *activation) extreme(s *state, op token.Token, x *ast.CallExpr) value {
	result := a.eval(s, x.Args[0])
	for _, e := range x.Args[1:] {
		v := a.eval(s, e)
		result = merge(a.compare(op, v, result, e.Pos()), v, result)
	}
	return result
}

// gather adds an error, or errors, to those of a list.
func (a *activation) gather(s *state, to, added value, pos token.Pos) failures {
	if in, isLoop := to.(loopVariable); isLoop {
		to = in.before
	}
	return a.failuresOf(s, to, pos).and(a.failuresOf(s, added, pos).on(s.path))
}

// appended returns a list with more items.
func (a *activation) appended(s *state, x *ast.CallExpr) value {
	before := a.eval(s, x.Args[0])
	var items []value
	for _, e := range x.Args[1:] {
		items = append(items, a.eval(s, e))
	}
	if _, ok := before.(failures); ok || isErrors(a.info.TypeOf(x)) {
		for _, item := range items {
			before = a.gather(s, before, item, x.Pos())
		}
		return before
	}
	if x.Ellipsis.IsValid() && len(items) == 1 {
		switch more := items[0].(type) {
		case list:
			items = more.items
		case failures:
			return more
		case place:
			if made, ok := a.joined(s, before, more); ok {
				return made
			}
			return a.unreadAt(x.Pos(), "lists that are joined")
		default:
			if _, isNil := before.(nothing); isNil {
				return more
			}
			return a.unreadAt(x.Pos(), "lists that are joined")
		}
	}
	if c, ok := before.(loopVariable); ok {
		before = c.before
	}
	if base, ok := asCollection(before); ok {
		entries := slices.Clip(base.entries)
		for _, item := range items {
			entries = append(entries, entry{s.path.withoutPanics(), nil, item})
		}
		return collection{entries: entries}
	}
	return a.unreadAt(x.Pos(), "a list that is appended to")
}

// joined returns a list with all items of a list of the object.
func (a *activation) joined(s *state, before value, more place) (value, bool) {
	if c, ok := before.(loopVariable); ok {
		before = c.before
	}
	base, ok := asCollection(before)
	if _, isSlice := more.typ.Underlying().(*types.Slice); !ok || !isSlice {
		return nil, false
	}
	l := a.newLoop(more)
	return collection{entries: append(slices.Clip(base.entries), entry{s.path.withoutPanics().in(l), nil, itemOf(more, l)})}, true
}

// asCollection returns a list as one that is filled on paths.
func asCollection(v value) (collection, bool) {
	switch x := v.(type) {
	case nothing:
		return collection{}, true
	case loopVariable:
		return asCollection(x.before)
	case collection:
		return x, true
	case list:
		var made collection
		for _, item := range x.items {
			made.entries = append(made.entries, entry{path{{}}, nil, item})
		}
		return made, true
	}
	return collection{}, false
}

// filledIf returns a list as a collection that is filled under a condition.
func filledIf(condition *condition, of list) collection {
	filled, _ := asCollection(of)
	for i := range filled.entries {
		filled.entries[i].path = filled.entries[i].path.with(condition, false)
	}
	return filled
}

// union returns the entries of two collections, those with which both begin once.
func union(one, other collection) collection {
	both := 0
	for both < min(len(one.entries), len(other.entries)) && one.entries[both].equal(other.entries[both]) {
		both++
	}
	return collection{entries: append(one.entries[:len(one.entries):len(one.entries)], other.entries[both:]...)}
}

func (e entry) equal(other entry) bool {
	return e.path.equal(other.path) && same(e.key, other.key) && same(e.value, other.value)
}

// in reports whether a collection has an entry with a key or, for lists, that item.
func (c *call) in(of value, key value) *condition {
	switch x := of.(type) {
	case list:
		condition := no
		all := make([]celexpr.Expr, len(x.items))
		for i, item := range x.items {
			condition = or(condition, c.compare(token.EQL, item, key, c.expr.Pos()))
			all[i] = c.activation.expr(item)
		}
		if p, ok := key.(place); ok && len(all) > 1 && areKnown(x.items) {
			return c.inConstants(x, p, all)
		}
		return condition
	case collection:
		if x.of != nil {
			return c.in(*x.of, key)
		}
		keyed := collection{}
		for _, one := range x.entries {
			if one.key == nil {
				one.key = one.value
			}
			keyed.entries = append(keyed.entries, one)
		}
		_, present := c.lookup(keyed, key, types.Typ[types.Bool], c.s, c.expr.Pos())
		return present
	case place:
		return and(x.has, that(celexpr.Call("@in", c.activation.expr(key), x.expr)))
	case choice:
		return split(x.when, c.in(x.then, key), c.in(x.otherwise, key))
	case loopVariable:
		return that(c.opaque(x.now))
	case nothing:
		return no
	case unknown:
		return that(c.opaque(x))
	}
	return that(c.opaque(c.unreadAt(c.expr.Pos(), "whether a list has an item")))
}

// inConstants returns the condition that a place has one of some values: absent, it has the zero value.
func (c *call) inConstants(of list, key place, all []celexpr.Expr) *condition {
	is := that(celexpr.Call("@in", key.expr, celexpr.List(all...)))
	for _, item := range of.items {
		if same(item, zero(key.typ)) {
			return or(not(key.has), is)
		}
	}
	return and(key.has, is)
}

func areKnown(items []value) bool {
	for _, item := range items {
		if _, ok := item.(known); !ok {
			return false
		}
	}
	return true
}
