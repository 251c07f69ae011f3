package rules

import (
	"slices"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// mostMutants bounds the mutants of one expression.
const mostMutants = 80

// Mutants returns expressions that differ from a condition in one literal, one operator or one operand. A condition is
// known as far as objects tell it from these.
func Mutants(of celexpr.Expr) (all []string) {
	original := celexpr.String(of)
	of = celexpr.Parse(original) // conditions share parts, and a change is in one place
	for _, change := range celexpr.Mutations(of) {
		text := celexpr.String(change.In(of))
		if text != original && !slices.Contains(all, text) && len(all) < mostMutants {
			all = append(all, text)
		}
	}
	return all
}
