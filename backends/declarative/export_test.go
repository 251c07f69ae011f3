package declarative

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// ValidateAllRules is Validate, but runs all rules, even those whose values an update did not change.
func (v *Validator) ValidateAllRules(ctx context.Context, obj, old value.Value) field.ErrorList {
	return v.walker.ValidateAllRules(ctx, obj, old)
}

// OverBudget reports whether rules may cost more than the budget.
func (v *Validator) OverBudget(ctx context.Context, obj value.Value) bool {
	return v.walker.OverBudget(ctx, obj)
}
