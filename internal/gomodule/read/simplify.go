package read

import (
	"maps"
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// facts are expressions that are true, by their digests.
type facts map[uint64]bool

func (f facts) has(e celexpr.Expr) bool { return f[celexpr.DigestOf(e).Hash] }

func (f facts) add(e celexpr.Expr) { f[celexpr.DigestOf(e).Hash] = true }

// simplified returns an expression without the choices that facts decide. Facts are the expressions that are true
// wherever the expression is asked.
func simplified(e celexpr.Expr, known facts) celexpr.Expr {
	for _, operator := range []string{operators.LogicalAnd, operators.LogicalOr} {
		if parts := celexpr.OperandsOf(e, operator); len(parts) > 1 {
			return simplifiedParts(parts, operator, known)
		}
	}
	if choice := celexpr.ArgsOf(e, operators.Conditional); choice != nil {
		if holds(choice[0], known) {
			return simplified(choice[1], known)
		}
		then := maps.Clone(known)
		var open []celexpr.Expr
		for _, part := range celexpr.OperandsOf(choice[0], operators.LogicalAnd) {
			if !known.has(part) {
				then.add(part)
				open = append(open, simplified(part, known))
			}
		}
		return celexpr.Call(operators.Conditional, celexpr.And(open...), simplified(choice[1], then), simplified(choice[2], known))
	}
	return celexpr.Replace(e, func(part celexpr.Expr) celexpr.Expr {
		if part == e || part.Kind() != ast.CallKind {
			return nil
		}
		return simplified(part, known)
	})
}

// simplifiedParts simplifies the operands of && or ||: each is asked only if those before are true, or false.
func simplifiedParts(parts []celexpr.Expr, operator string, known facts) celexpr.Expr {
	known = maps.Clone(known)
	made := slices.Clone(parts)
	for i, part := range parts {
		made[i] = simplified(part, known)
		if operator == operators.LogicalAnd {
			known.add(part)
		} else {
			known.add(negatedParts(part))
		}
	}
	if operator == operators.LogicalAnd {
		return celexpr.And(made...)
	}
	return celexpr.Or(made...)
}

// holds reports whether all parts of a condition are facts.
func holds(e celexpr.Expr, known facts) bool {
	return !slices.ContainsFunc(celexpr.OperandsOf(e, operators.LogicalAnd), func(part celexpr.Expr) bool {
		return !known.has(part)
	})
}
