package declarative

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// ValidateAllRules is Validate with all rules run, whether the update changed something for
// them or not.
func (v *Validator) ValidateAllRules(ctx context.Context, obj, old value.Value) field.ErrorList {
	return v.walker.ValidateAllRules(ctx, obj, old)
}

// OverBudget says whether what rules may cost is more than the budget.
func (v *Validator) OverBudget(ctx context.Context, obj value.Value) bool {
	return v.walker.OverBudget(ctx, obj)
}
