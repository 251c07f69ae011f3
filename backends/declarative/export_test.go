package declarative

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// Proof is what the proof of a schema says about an object.
func (v *Validator) Proof(obj value.Value) (fits, sure bool) {
	w := v.walks.Get().(*walk)
	defer v.walks.Put(w)
	w.start(context.Background(), v.root, obj, nil)
	a := w.ask()
	w.finish()
	return a == fit, a != unsure
}

// Walked says whether the walk alone finds an object valid, without rules.
func (v *Validator) Walked(obj value.Value) bool {
	w := v.walks.Get().(*walk)
	defer v.walks.Put(w)
	w.start(context.Background(), v.root, obj, nil)
	w.enter(&w.root)
	valid := w.failures == 0
	w.finish()
	return valid
}

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
