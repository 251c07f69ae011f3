package celproof

import (
	"cmp"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// comparison reads an expression as a comparison of a term with constants. It returns nil for other
// expressions.
func comparison(e celexpr.Expr) (term celexpr.Expr, operator string, constants []any) {
	name := e.AsCall().FunctionName()
	args := celexpr.ArgsOf(e, name)
	if len(args) != 2 {
		return nil, "", nil
	}
	a, b := args[0], args[1]
	switch name {
	case operators.In:
		if b.Kind() != ast.ListKind {
			return nil, "", nil
		}
		for _, one := range b.AsList().Elements() {
			value, is := constant(one)
			if !is {
				return nil, "", nil
			}
			constants = append(constants, value)
		}
		return a, name, constants
	case operators.Equals, operators.NotEquals, operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
	default:
		return nil, "", nil
	}
	ordered := name != operators.Equals && name != operators.NotEquals
	comparable := func(value any) bool { // of strings, only equality is followed
		_, isText := value.(string)
		return !isText || !ordered
	}
	if value, is := constant(b); is && comparable(value) {
		return a, name, []any{value}
	}
	if value, is := constant(a); is && comparable(value) {
		mirrored := map[string]string{
			operators.Less: operators.Greater, operators.Greater: operators.Less,
			operators.LessEquals: operators.GreaterEquals, operators.GreaterEquals: operators.LessEquals,
		}
		return b, cmp.Or(mirrored[name], name), []any{value}
	}
	return nil, "", nil
}

// constant reads a number or a string.
func constant(e celexpr.Expr) (any, bool) {
	switch value := celexpr.ValueOf(e).(type) {
	case int64, float64:
		_, isExact := asNumber(value)
		return value, isExact
	case string:
		return value, true
	}
	return nil, false
}

// holds evaluates a comparison of two constants.
func holds(operator string, a, b any) bool {
	var order int
	if text, isText := a.(string); isText {
		order = strings.Compare(text, b.(string))
	} else {
		x, _ := asNumber(a)
		y, _ := asNumber(b)
		order = cmp.Compare(x, y)
	}
	switch operator {
	case operators.Less:
		return order < 0
	case operators.LessEquals:
		return order <= 0
	case operators.Greater:
		return order > 0
	case operators.GreaterEquals:
		return order >= 0
	case operators.NotEquals:
		return order != 0
	}
	return order == 0
}
