package read

import (
	"go/constant"
	"go/token"
	"go/types"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

var comparisons = map[token.Token]string{
	token.EQL: operators.Equals,
	token.NEQ: operators.NotEquals,
	token.LSS: operators.Less,
	token.LEQ: operators.LessEquals,
	token.GTR: operators.Greater,
	token.GEQ: operators.GreaterEquals,
}

// swapped are the comparisons with the other operand first.
var swapped = map[token.Token]token.Token{
	token.EQL: token.EQL,
	token.NEQ: token.NEQ,
	token.LSS: token.GTR,
	token.LEQ: token.GEQ,
	token.GTR: token.LSS,
	token.GEQ: token.LEQ,
}

// comparison returns the condition that a comparison is true.
func (a *activation) comparison(op token.Token, x, y value, pos token.Pos) *condition {
	if op == token.NEQ {
		return not(a.compare(token.EQL, x, y, pos))
	}
	return a.compare(op, x, y, pos)
}

// compare is comparison for all operators but !=.
func (a *activation) compare(op token.Token, x, y value, pos token.Pos) *condition {
	if v, ok := x.(loopVariable); ok {
		return that(a.opaque(v.now))
	}
	if c, ok := x.(choice); ok {
		return split(c.when, a.compare(op, c.then, y, pos), a.compare(op, c.otherwise, y, pos))
	}
	switch y.(type) {
	case loopVariable, choice:
		return a.compare(swapped[op], y, x, pos)
	}
	if is := a.compareOwn(op, x, y, pos); is != nil {
		return is
	}
	if is := a.compareOwn(swapped[op], y, x, pos); is != nil {
		return is
	}
	if _, ok := y.(nothing); ok && op == token.EQL {
		return a.isNil(x, pos)
	}
	if _, ok := x.(nothing); ok && op == token.EQL {
		return a.isNil(y, pos)
	}
	if to, ok := y.(pointer); ok {
		if p, ok := x.(place); ok {
			return and(p.has, a.compare(op, a.dereferenced(p, pos), to.to, pos))
		}
		return a.compare(op, a.dereferenced(x, pos), to.to, pos)
	}
	if _, ok := x.(pointer); ok {
		return a.compare(swapped[op], y, x, pos)
	}
	if p, ok := x.(place); ok && structOf(p.typ) != nil {
		if with, ok := y.(place); ok && isPointer(p.typ) && p.expr != with.expr {
			return that(a.opaque(a.unreadAt(pos, "whether two pointers are the same")))
		}
		if op == token.EQL {
			return a.equal(x, y, pos)
		}
	}
	first, isFirst := x.(known)
	second, isSecond := y.(known)
	if isFirst && isSecond && first.value.Kind() == second.value.Kind() {
		return that(celexpr.Literal(constant.Compare(first.value, op, second.value)))
	}
	if isFirst {
		return a.compare(swapped[op], y, x, pos)
	}
	if !isSecond || differsInBytes(op, second) {
		x, y = inBytes(x), inBytes(y)
	}
	if p, ok := x.(place); ok && isSecond {
		return a.compareWithConstant(op, p, second)
	}
	return that(celexpr.Call(comparisons[op], a.expr(x), a.expr(y)))
}

// compareOwn compares a value that knows how; nil: it does not.
func (a *activation) compareOwn(op token.Token, x, y value, pos token.Pos) *condition {
	switch v := x.(type) {
	case character:
		return v.is(a, op, y)
	case folded:
		return v.is(a, op, y, pos)
	case beginning:
		return v.is(a, op, y, pos)
	case amount:
		return v.is(a, op, y)
	}
	return nil
}

// compareWithConstant compares a place: absent, it has the zero value.
func (a *activation) compareWithConstant(op token.Token, p place, with known) *condition {
	compared := that(celexpr.Call(comparisons[op], p.expr, a.expr(with)))
	if text, isText := celexpr.TextOf(a.expr(with)); isText && text == "" && op == token.EQL && isAlwaysSet(celexpr.PathOf(p.expr)) {
		return no
	}
	z, ok := zero(p.typ).(known)
	if isFloat(p.typ) {
		with.value = constant.ToFloat(with.value)
	}
	if !ok || z.value.Kind() != with.value.Kind() {
		return and(p.has, compared)
	}
	if constant.Compare(z.value, op, with.value) {
		return or(not(p.has), compared)
	}
	return and(p.has, compared)
}

// isNil returns the condition that a pointer, a list, a map or an error is nil.
func (a *activation) isNil(v value, pos token.Pos) *condition {
	switch x := v.(type) {
	case place:
		return not(x.has)
	case failures:
		return not(x.asked(a.now))
	case oneOf:
		return no
	case nothing:
		return yes
	case collection:
		return not(a.counted(x, nil, &state{path: a.now}, pos).any)
	case *made, pointer, list, closure, fieldPath, term:
		return no
	case edited:
		return not(x.of.has)
	case amount:
		return not(x.any)
	case choice:
		return split(x.when, a.isNil(x.then, pos), a.isNil(x.otherwise, pos))
	case loopVariable:
		return that(a.opaque(x.now))
	case unknown:
		return that(a.opaque(x.of("nil")))
	}
	return that(a.opaque(a.unreadAt(pos, "whether a value is nil")))
}

// size returns the length of a value.
func (a *activation) size(s *state, v value, pos token.Pos) value {
	number := types.Typ[types.Int]
	none := known{constant.MakeInt64(0), number}
	switch x := v.(type) {
	case place:
		return place{expr: celexpr.Call("size", x.expr), typ: number, has: x.has, inBytes: bytesOf(x.expr, x.typ), within: lengths}
	case term:
		return term{expr: celexpr.Call("size", x.expr), typ: number, inBytes: bytesOf(x.expr, x.typ), within: lengths}
	case known:
		if x.value.Kind() == constant.String {
			return known{constant.MakeInt64(int64(len(constant.StringVal(x.value)))), number}
		}
	case list:
		return known{constant.MakeInt64(int64(len(x.items))), number}
	case failures:
		return amount{any: x.asked(s.path), why: a.unreadAt(pos, "how many errors there are")}
	case edited:
		return a.size(s, x.of, pos)
	case amount:
		return x
	case collection:
		count := a.counted(x, nil, s, pos)
		if x.mayRepeat(s.path) {
			count.count = nil
		}
		return count
	case nothing:
		return none
	case choice:
		return merge(x.when, a.size(s, x.then, pos), a.size(s, x.otherwise, pos))
	case loopVariable:
		return x.now
	case unknown:
		return x.of("length")
	}
	return a.unreadAt(pos, "a length")
}

// without returns the condition that a list or map is not there: nil or, in a semantic comparison, empty.
func (a *activation) without(p place) *condition {
	if a.none(p) == nil {
		return not(p.has)
	}
	return or(not(p.has), that(celexpr.Call(operators.Equals, celexpr.Call("size", p.expr), celexpr.Literal(int64(0)))))
}

// none returns the list or map without content that is equal to none in a semantic comparison; nil: there is none.
func (a *activation) none(p place) celexpr.Expr {
	if !a.reading.semantic || hasOwnJSON(p.typ) {
		return nil
	}
	switch elem(p.typ).Underlying().(type) {
	case *types.Slice:
		return celexpr.List()
	case *types.Map:
		return celexpr.Parse("{}")
	}
	return nil
}

// equal returns the condition that two values are equal as reflect.DeepEqual says it.
func (a *activation) equal(x, y value, pos token.Pos) *condition {
	if p, ok := x.(place); ok && same(p, y) {
		return yes
	}
	switch v := x.(type) {
	case loopVariable:
		return that(a.opaque(v.now))
	case choice:
		return split(v.when, a.equal(v.then, y, pos), a.equal(v.otherwise, y, pos))
	}
	switch y.(type) {
	case loopVariable, choice:
		return a.equal(y, x, pos)
	}
	switch v := x.(type) {
	case *made:
		if _, isNil := y.(nothing); !isNil {
			return a.equalStructs(v, y, pos)
		}
	case edited:
		return a.equalItems(v, y, pos)
	}
	first, isFirst := x.(place)
	if isFirst {
		switch v := y.(type) {
		case *made, edited:
			return a.equal(y, x, pos)
		case place:
			if _, isScalar := zero(v.typ).(known); !isScalar {
				return or(
					and(a.without(first), a.without(v)),
					and(first.has, v.has, that(celexpr.Call(operators.Equals, first.expr, v.expr))),
				)
			}
		}
	}
	return a.compare(token.EQL, x, y, pos)
}
