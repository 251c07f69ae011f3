package rules

import (
	"slices"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// mostMutants bounds the mutants of one expression.
const mostMutants = 80

// Mutants returns expressions that differ from a condition in one literal, one operator or one operand. A condition is
// known as far as objects tell it from these.
func Mutants(expr string) (all []string) {
	parsed := celexpr.Parse(expr)
	if parsed == nil {
		return nil
	}
	original := celexpr.String(parsed)
	for _, change := range celexpr.Mutations(parsed) {
		text := celexpr.String(change.In(parsed))
		if text != original && !slices.Contains(all, text) && len(all) < mostMutants {
			all = append(all, text)
		}
	}
	return all
}
