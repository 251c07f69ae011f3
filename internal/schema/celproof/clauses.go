package celproof

import (
	"slices"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// A rule is true if and only if all its clauses hold. A clause holds if one of its literals does:
// an expression that is true, or one that is false. An error is neither.
type (
	clause  []literal
	literal struct {
		expr celexpr.Expr
		want outcomes // isTrue or isFalse
	}
)

// mostClauses is the maximum number of clauses of an expression. An expression with more is not
// split.
const mostClauses = 64

// clausesOf returns the clauses that all hold if and only if an expression has a wanted outcome.
func clausesOf(e celexpr.Expr, want outcomes) []clause {
	whole := []clause{{{e, want}}}
	call := e.AsCall()
	args := call.Args()
	of := func(i int, want outcomes) []clause { return clausesOf(args[i], want) }
	made := whole
	switch name := call.FunctionName(); {
	case name == operators.LogicalNot && len(args) == 1:
		made = of(0, want.not())
	case name == operators.LogicalAnd && want == isTrue, name == operators.LogicalOr && want == isFalse:
		made = slices.Concat(of(0, want), of(1, want))
	case name == operators.LogicalOr && want == isTrue, name == operators.LogicalAnd && want == isFalse:
		made = either(of(0, want), of(1, want))
	case name == operators.Conditional && len(args) == 3:
		// The condition is not an error, and the branch that it does not choose does not matter.
		made = slices.Concat(either(of(0, isTrue), of(0, isFalse)), either(of(0, isFalse), of(1, want)), either(of(0, isTrue), of(2, want)))
	}
	if name := call.FunctionName(); name == operators.All && want == isTrue && call.IsMemberFunction() && len(args) == 2 {
		made = forEach(e)
	}
	if len(made) > mostClauses {
		return whole
	}
	return made
}

// either returns the clauses that hold if and only if all clauses of one list do, or all of the
// other.
func either(some, others []clause) []clause {
	if len(some)*len(others) > mostClauses {
		return make([]clause, mostClauses+1) // too many
	}
	var all []clause
	for _, one := range some {
		for _, other := range others {
			all = append(all, slices.Concat(one, other))
		}
	}
	return all
}

// forEach splits "list.all(x, a && b)" into one all for a and one for b.
func forEach(e celexpr.Expr) []clause {
	call := e.AsCall()
	var all []clause
	for _, c := range clausesOf(call.Args()[1], isTrue) {
		if len(c) == 0 {
			return make([]clause, mostClauses+1) // too many
		}
		var parts []celexpr.Expr
		for _, l := range c {
			if l.want == isFalse {
				l.expr = celexpr.Not(l.expr)
			}
			parts = append(parts, l.expr)
		}
		all = append(all, clause{{celexpr.Method(call.Target(), call.FunctionName(), call.Args()[0], celexpr.Or(parts...)), isTrue}})
	}
	return all
}
