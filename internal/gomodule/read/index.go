package read

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// index returns an item of a list or map, and whether it is there.
func (a *activation) index(s *state, x *ast.IndexExpr) (value, *condition) {
	if _, isFunction := a.info.TypeOf(x.X).Underlying().(*types.Signature); isFunction {
		return a.eval(s, x.X), yes // of a generic function
	}
	key := a.eval(s, x.Index)
	return a.item(a.eval(s, x.X), key, a.info.TypeOf(x), s, x.Pos())
}

func (a *activation) item(of, key value, t types.Type, s *state, pos token.Pos) (value, *condition) {
	if tuple, ok := t.(*types.Tuple); ok {
		t = tuple.At(0).Type()
	}
	switch x := of.(type) {
	case place:
		return a.itemOfPlace(x, key, t)
	case edited:
		if at, ok := key.(position); ok && celexpr.String(at.of.list) == celexpr.String(x.of.expr) {
			return x.itemIn(at.of), yes
		}
	case collection:
		return a.lookup(x, key, t, s, pos)
	case list:
		if at, ok := key.(known); ok {
			if i, exact := constant.Int64Val(at.value); exact && i >= 0 && int(i) < len(x.items) {
				return x.items[i], yes
			}
		}
	case choice:
		then, hasThen := a.item(x.then, key, t, s, pos)
		otherwise, hasOtherwise := a.item(x.otherwise, key, t, s, pos)
		return merge(x.when, then, otherwise), split(x.when, hasThen, hasOtherwise)
	case carried:
		return a.item(x.before, key, t, s, pos)
	case term:
		i := a.expr(key)
		there := that(celexpr.Call(operators.Greater, celexpr.Call("size", x.expr), i))
		return term{expr: celexpr.Call(operators.Index, x.expr, i), typ: t}, there
	case nothing:
		return zero(t), no
	case unknown:
		return x, that(a.opaque(x))
	}
	u := a.unreadAt(pos, "an item")
	return u, that(a.opaque(u))
}

func (a *activation) itemOfPlace(of place, key value, t types.Type) (value, *condition) {
	if _, isMap := elem(of.typ).Underlying().(*types.Map); isMap {
		k := a.expr(key)
		has := and(of.has, that(celexpr.Call(operators.In, k, of.expr)))
		return place{expr: celexpr.Call(operators.Index, of.expr, k), typ: t, has: has}, has
	}
	if at, ok := key.(position); ok && celexpr.String(at.of.list) == celexpr.String(of.expr) {
		return itemOf(of, at.of), yes
	}
	i := a.expr(key)
	has := and(of.has, that(celexpr.Call(operators.Greater, celexpr.Call("size", of.expr), i)))
	return place{expr: celexpr.Call(operators.Index, of.expr, i), typ: t, has: has}, has
}

// lookup returns an entry of a collection.
func (a *activation) lookup(of collection, key value, t types.Type, s *state, pos token.Pos) (value, *condition) {
	if of.isGrouped() {
		count := a.counted(of, key, s, pos)
		return count, count.any
	}
	var result value = zero(t)
	present := no
	for _, one := range of.entries {
		when := a.compare(token.EQL, one.key, key, pos)
		here := one.path.with(when, false).beyond(s.path, true)
		present = or(present, here)
		v := one.value
		for i := len(one.path) - 1; i >= 0 && v != nil; i-- {
			if !one.path.shares(s.path, i) {
				inner := one.path[i:].with(when, false)
				v = found(v, inner.beyond(inner[:1:1].bare(), true), one.path[i].loop, true)
			}
		}
		if v == nil {
			v = a.unreadAt(pos, "an entry of a map")
		}
		result = merge(here, v, result)
	}
	return result, present
}

// assertion returns a value as another type, and whether it is one.
func (a *activation) assertion(s *state, x *ast.TypeAssertExpr) (value, *condition) {
	v := a.eval(s, x.X)
	if x.Type != nil && isOfType(v, a.info.TypeOf(x.Type)) {
		return v, yes
	}
	if _, ok := v.(failures); ok {
		return v, yes
	}
	u := a.unreadAt(x.Pos(), "the type of a value")
	return u, that(a.opaque(u))
}
