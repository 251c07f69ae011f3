package read

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/google/cel-go/common/ast"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// same reports whether two values are known to be the same.
func same(one, other value) bool {
	switch x := one.(type) {
	case known:
		y, ok := other.(known)
		return ok && x.value.Kind() == y.value.Kind() && constant.Compare(x.value, token.EQL, y.value)
	case place:
		y, ok := other.(place)
		return ok && x.has.id == y.has.id && sameExpr(x.expr, y.expr)
	case term:
		y, ok := other.(term)
		return ok && sameExpr(x.expr, y.expr)
	case truth:
		y, ok := other.(truth)
		return ok && x.when.id == y.when.id
	case choice:
		y, ok := other.(choice)
		return ok && x.when.id == y.when.id && same(x.then, y.then) && same(x.otherwise, y.otherwise)
	case failures:
		y, ok := other.(failures)
		return ok && len(x.all) == len(y.all) && !slices.ContainsFunc(x.all, func(one failure) bool { return !y.has(one) })
	case collection:
		y, ok := other.(collection)
		return ok && len(x.entries) == len(y.entries)
	case list:
		y, ok := other.(list)
		return ok && slices.EqualFunc(x.items, y.items, same)
	case several:
		y, ok := other.(several)
		return ok && slices.EqualFunc(x, y, same)
	case pointer:
		y, ok := other.(pointer)
		return ok && same(x.to, y.to)
	case closure:
		y, ok := other.(closure)
		return ok && x.literal == y.literal && x.named == y.named && same(x.of, y.of) && x.captured == nil && y.captured == nil
	case loopVariable:
		_, ok := other.(loopVariable)
		return ok
	case increment:
		_, ok := other.(increment)
		return ok
	case reference:
		y, ok := other.(reference)
		return ok && x.to == y.to
	case oneOf:
		y, ok := other.(oneOf)
		return ok && same(x.of, y.of)
	case *made:
		y, ok := other.(*made)
		return ok && (x == y || same(x.base, y.base) && types.Identical(x.typ, y.typ) && maps.EqualFunc(x.fields, y.fields, same))
	case nil, nothing, grouped, fieldPath, text, position, unknown:
		return one == other
	}
	return samePart(one, other)
}

// samePart is same for parts of texts and lists.
func samePart(one, other value) bool {
	switch x := one.(type) {
	case edited:
		y, ok := other.(edited)
		return ok && same(x.of, y.of) && x.loop == y.loop && same(x.item, y.item)
	case character:
		y, ok := other.(character)
		return ok && sameExpr(x.expr, y.expr)
	case beginning:
		y, ok := other.(beginning)
		return ok && sameExpr(x.of, y.of) && x.bytes == y.bytes
	case folded:
		y, ok := other.(folded)
		return ok && sameExpr(x.ascii, y.ascii)
	case amount:
		y, ok := other.(amount)
		return ok && x.any.id == y.any.id && x.count == y.count
	}
	return false
}

func sameExpr(one, other celexpr.Expr) bool {
	if one == other || one.Kind() != other.Kind() {
		return one == other
	}
	if one.Kind() == ast.IdentKind {
		return one.AsIdent() == other.AsIdent()
	}
	return celexpr.DigestOf(one) == celexpr.DigestOf(other)
}
