package read

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"unicode/utf8"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// index returns an item of a list or map, and whether it is there.
func (a *activation) index(s *state, x *ast.IndexExpr) (value, *condition) {
	if _, isFunction := a.info.TypeOf(x.X).Underlying().(*types.Signature); isFunction {
		return a.eval(s, x.X), yes // of a generic function
	}
	key, of := a.eval(s, x.Index), a.eval(s, x.X)
	v, has := a.item(of, key, a.info.TypeOf(x), s, x.Pos())
	if _, isMap := a.info.TypeOf(x.X).Underlying().(*types.Map); !isMap && isOfObject(of) {
		a.require(s, has, x.Pos(), noItem)
	}
	return v, has
}

func (a *activation) item(of, key value, t types.Type, s *state, pos token.Pos) (value, *condition) {
	if tuple, ok := t.(*types.Tuple); ok {
		t = tuple.At(0).Type()
	}
	switch x := of.(type) {
	case place:
		if isText(x.typ) {
			return a.character(x, key, pos)
		}
		return a.itemOfPlace(x, key, t)
	case edited:
		if at, ok := key.(position); ok && sameExpr(at.of.list, x.of.expr) {
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
	case loopVariable:
		return a.item(x.before, key, t, s, pos)
	case term:
		if basic, ok := t.Underlying().(*types.Basic); ok && basic.Info()&types.IsString == 0 {
			break // of a text
		}
		i := a.expr(key)
		return term{expr: celexpr.Call(operators.Index, x.expr, i), typ: t}, hasItem(x.expr, key, i)
	case nothing:
		return zero(t), no
	case unknown:
		at := "item " + celexpr.String(a.expr(key))
		return x.of(at), that(a.opaque(x.of("has " + at)))
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
	if at, ok := key.(position); ok && sameExpr(at.of.list, of.expr) {
		return itemOf(of, at.of), yes
	}
	i := a.expr(key)
	has := and(of.has, hasItem(of.expr, key, i))
	return place{expr: celexpr.Call(operators.Index, of.expr, i), typ: t, has: has}, has
}

// hasItem returns the condition that a list has an item at an index, which may be computed and below zero.
func hasItem(list celexpr.Expr, key value, index celexpr.Expr) *condition {
	size := celexpr.Call("size", list)
	below := that(celexpr.Call(operators.Greater, size, index))
	switch key.(type) {
	case known, position:
		return below
	}
	if n, ok := fromEnd(size, index); ok {
		return that(celexpr.Call(operators.Greater, size, celexpr.Literal(n-1)))
	}
	return and(that(celexpr.Call(operators.GreaterEquals, index, celexpr.Literal(int64(0)))), below)
}

// fromEnd returns how far an index is below a size, which is zero where the list is not set.
func fromEnd(size, index celexpr.Expr) (n int64, ok bool) {
	sides := celexpr.ArgsOf(index, operators.Subtract)
	if sides == nil {
		return 0, false
	}
	of := sides[0]
	if choice := celexpr.ArgsOf(of, operators.Conditional); choice != nil {
		of = choice[1]
	}
	n, ok = celexpr.ValueOf(sides[1]).(int64)
	return n, ok && n > 0 && sameExpr(of, size)
}

// isOfObject reports whether a value is computed from the object.
func isOfObject(v value) bool {
	switch v.(type) {
	case place, term:
		return true
	}
	return false
}

// indexed returns the list and the index of a condition that the list has an item; nil: a condition is another one.
func indexed(c *condition) (list, at celexpr.Expr) {
	if c.expr == nil {
		return nil, nil
	}
	if args := celexpr.ArgsOf(c.expr, operators.Greater); args != nil {
		if size := celexpr.ArgsOf(args[0], "size"); size != nil {
			return size[0], args[1]
		}
	}
	return nil, nil
}

// character is a byte of a text, which is compared with those of ASCII alone.
type character struct {
	expr celexpr.Expr
	has  *condition
	why  unknown
}

// character returns the first or the last byte of a text: those between have other numbers in CEL if there are letters of
// several bytes.
func (a *activation) character(of place, key value, pos token.Pos) (value, *condition) {
	size := celexpr.Call("size", of.expr)
	some := and(of.has, that(celexpr.Call(operators.Greater, size, celexpr.Literal(int64(0)))))
	why := a.unreadAt(pos, "a byte of a text")
	if k, ok := key.(known); ok && constant.Sign(k.value) == 0 {
		return character{celexpr.Method(of.expr, "charAt", celexpr.Literal(int64(0))), some, why}, some
	}
	one := celexpr.Literal(int64(1))
	last := celexpr.Call(operators.Subtract, a.expr(inBytes(a.size(nil, of, pos))), one)
	if sameExpr(a.expr(key), last) {
		return character{celexpr.Method(of.expr, "charAt", celexpr.Call(operators.Subtract, size, one)), some, why}, some
	}
	return why, yes
}

// is returns the condition that a byte is equal to another value.
func (c character) is(a *activation, op token.Token, with value) *condition {
	if k, ok := with.(known); ok && op == token.EQL && k.value.Kind() == constant.Int {
		if n, exact := constant.Int64Val(k.value); exact && n >= 0 && n < utf8.RuneSelf {
			return and(c.has, that(celexpr.Call(operators.Equals, c.expr, celexpr.Literal(string(rune(n))))))
		}
	}
	return that(a.opaque(c.why))
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
		when := a.equalKeys(one.key, key, pos)
		here := one.path.with(when, false).beyond(s.path, true)
		present = or(present, here)
		v := one.value
		for i := len(one.path) - 1; i >= 0 && v != nil; i-- {
			if !one.path.shares(s.path, i) {
				inner := one.path[i:].with(when, false)
				l := one.path[i].loop // of keys that repeat, the last one counts
				v = found(v, inner.beyond(inner[:1:1].bare(), true), l, l.isKey(one.key))
			}
		}
		if v == nil || of.alternates(one, s.path) {
			v = a.unreadAt(pos, "an entry of a map")
		}
		result = merge(here, v, result)
	}
	return result, present
}

// equalKeys returns the condition that two keys of a map are equal.
func (a *activation) equalKeys(one, other value, pos token.Pos) *condition {
	if m, ok := one.(*made); ok && asMade(other) != nil {
		return a.equalStructs(m, other, pos)
	}
	return a.compare(token.EQL, one, other, pos)
}

// alternates reports whether the loop that made an entry makes others with other values: which one is last is not known.
func (c collection) alternates(one entry, at path) bool {
	return slices.ContainsFunc(c.entries, func(other entry) bool {
		return !same(one.value, other.value) && slices.ContainsFunc(one.path, func(f frame) bool {
			return f.loop != nil && !slices.ContainsFunc(at, func(of frame) bool { return of.loop == f.loop }) &&
				slices.ContainsFunc(other.path, func(of frame) bool { return of.loop == f.loop })
		})
	})
}

// isKey reports whether a value is the key of the items of a loop: no other item has it.
func (l *loop) isKey(v value) bool {
	p, ok := v.(place)
	return ok && (l.isMap || l.key != "" && sameExpr(p.expr, celexpr.Field(celexpr.Name(l.name), l.key)))
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
