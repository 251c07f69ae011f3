package read

import (
	"maps"
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

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
	made = withoutOtherValues(made, operator)
	if operator == operators.LogicalAnd {
		return celexpr.And(made...)
	}
	return celexpr.Or(made...)
}

// withoutOtherValues leaves out what one comparison with a constant says of the others: x == 'a' && x != 'b' is x == 'a', and
// x != 'a' || x == 'b' is x != 'a'.
func withoutOtherValues(parts []celexpr.Expr, operator string) []celexpr.Expr {
	decides, decided := operators.Equals, operators.NotEquals
	if operator == operators.LogicalOr {
		decides, decided = decided, decides
	}
	constants := map[uint64]ref.Val{} // of the sides that are compared with them
	for _, part := range parts {
		if side, constant, ok := constantOf(part, decides); ok {
			constants[celexpr.DigestOf(side).Hash] = constant
		}
	}
	return slices.DeleteFunc(parts, func(part celexpr.Expr) bool {
		side, constant, ok := constantOf(part, decided)
		if !ok {
			return false
		}
		value, isDecided := constants[celexpr.DigestOf(side).Hash]
		return isDecided && value.Equal(constant) == types.False
	})
}

// constantOf returns the sides of a comparison with a constant.
func constantOf(e celexpr.Expr, operator string) (side celexpr.Expr, constant ref.Val, ok bool) {
	args := celexpr.ArgsOf(e, operator)
	if len(args) != 2 || args[1].Kind() != ast.LiteralKind {
		return nil, nil, false
	}
	return args[0], args[1].AsLiteral(), true
}

// holds reports whether all parts of a condition are facts.
func holds(e celexpr.Expr, known facts) bool {
	return !slices.ContainsFunc(celexpr.OperandsOf(e, operators.LogicalAnd), func(part celexpr.Expr) bool {
		return !known.has(part)
	})
}
