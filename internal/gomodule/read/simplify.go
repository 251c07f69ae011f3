package read

import (
	"maps"
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// simplified returns an expression without the choices that facts decide. Facts are the texts of expressions that are
// true wherever the expression is asked.
func simplified(e celexpr.Expr, facts map[string]bool) celexpr.Expr {
	for _, operator := range []string{operators.LogicalAnd, operators.LogicalOr} {
		if parts := celexpr.OperandsOf(e, operator); len(parts) > 1 {
			return simplifiedParts(parts, operator, facts)
		}
	}
	if choice := celexpr.ArgsOf(e, operators.Conditional); choice != nil {
		if holds(choice[0], facts) {
			return simplified(choice[1], facts)
		}
		then := maps.Clone(facts)
		var open []celexpr.Expr
		for _, part := range celexpr.OperandsOf(choice[0], operators.LogicalAnd) {
			if text := celexpr.String(part); !facts[text] {
				then[text] = true
				open = append(open, simplified(part, facts))
			}
		}
		return celexpr.Call(operators.Conditional, celexpr.And(open...), simplified(choice[1], then), simplified(choice[2], facts))
	}
	return celexpr.Replace(e, func(part celexpr.Expr) celexpr.Expr {
		if part == e || part.Kind() != ast.CallKind {
			return nil
		}
		return simplified(part, facts)
	})
}

// simplifiedParts simplifies the operands of && or ||: each is asked only if those before are true, or false.
func simplifiedParts(parts []celexpr.Expr, operator string, facts map[string]bool) celexpr.Expr {
	known := maps.Clone(facts)
	made := slices.Clone(parts)
	for i, part := range parts {
		made[i] = simplified(part, known)
		if operator == operators.LogicalAnd {
			known[celexpr.String(part)] = true
		} else {
			known[celexpr.String(negatedParts(part))] = true
		}
	}
	if operator == operators.LogicalAnd {
		return celexpr.And(made...)
	}
	return celexpr.Or(made...)
}

// holds reports whether all parts of a condition are facts.
func holds(e celexpr.Expr, facts map[string]bool) bool {
	return !slices.ContainsFunc(celexpr.OperandsOf(e, operators.LogicalAnd), func(part celexpr.Expr) bool {
		return !facts[celexpr.String(part)]
	})
}
