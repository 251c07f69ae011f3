package declarative

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// ValidateAllRules is Validate with all rules run, whether the update changed something for
// them or not.
func (v *Validator) ValidateAllRules(ctx context.Context, obj, old value.Value) field.ErrorList {
	w := newWalk(v)
	w.start(ctx, v.root, obj, old)
	w.skipUnchanged = false
	w.run()
	return w.finish()
}

// OverBudget says whether what rules may cost is more than the budget.
func (v *Validator) OverBudget(ctx context.Context, obj value.Value) bool {
	w := newWalk(v)
	w.start(ctx, v.root, obj, nil)
	w.run()
	return w.cel.Over()
}
