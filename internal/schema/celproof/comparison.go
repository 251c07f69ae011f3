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
	if args := celexpr.ArgsOf(e, operators.In); args != nil && args[1].Kind() == ast.ListKind {
		for _, one := range args[1].AsList().Elements() {
			value, is := constant(one)
			if !is {
				return nil, "", nil
			}
			constants = append(constants, value)
		}
		return args[0], operators.In, constants
	}
	term, operator, other := celexpr.ComparisonOf(e)
	if term == nil {
		return nil, "", nil
	}
	value, is := constant(other)
	_, isText := value.(string)
	isOrdered := operator != operators.Equals && operator != operators.NotEquals
	if !is || isText && isOrdered { // of texts, only equality is followed
		return nil, "", nil
	}
	return term, operator, []any{value}
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
