package walk

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative/internal/graph"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
	"github.com/diffrun/diffrun/backends/declarative/tally"
)

// Validator validates objects by one graph. It is immutable and safe for concurrent use.
type Validator struct {
	root  *graph.Node
	opts  Options
	types view.Types
	walks sync.Pool // of *walk
}

// Options controls how objects are validated.
type Options struct {
	// CustomResource formats and ratchets errors as apiextensions-apiserver does.
	CustomResource bool
	// Ratcheting drops errors of an update at unchanged values (KEP-4008).
	Ratcheting bool
	// Blocking skips the rules after some errors (see BlocksRules).
	Blocking bool
	// Budget limits the total cost of all rules.
	Budget int64
	// Subresource is that of the request, "" for none.
	Subresource string
	// Tally counts what keywords and rules do. If nil, nothing is counted.
	Tally *tally.Tally
}

// New makes a validator of a compiled schema.
func New(root *graph.Node, opts Options) *Validator {
	v := &Validator{root: root, opts: opts}
	v.walks.New = func() any { return newWalk(v) }
	return v
}

// Validate returns the errors of obj, or of the update of old to obj, in canonical order.
func (v *Validator) Validate(ctx context.Context, obj, old value.Value) field.ErrorList {
	return v.validate(ctx, obj, old, false)
}

func (v *Validator) validate(ctx context.Context, obj, old value.Value, ignoreBlocking bool) field.ErrorList {
	w := v.walks.Get().(*walk) // which a panic does not put back
	w.rules.ignoreBlocking = ignoreBlocking
	w.start(ctx, obj, old)
	if w.run(); w.rules.cel.Over() {
		w.start(ctx, obj, old)
		w.rules.cel.Exact()
		w.run()
	}
	errs := w.finish()
	if w.tally != nil && !ignoreBlocking { // else the input was counted before
		w.tally.Done(ctx)
	}
	v.walks.Put(w)
	return errs
}

// ValidateAllRules is like Validate, but also runs rules on unchanged values. Tests compare the
// two.
func (v *Validator) ValidateAllRules(ctx context.Context, obj, old value.Value) field.ErrorList {
	w := newWalk(v)
	w.rules.onUnchanged = true
	w.start(ctx, obj, old)
	w.run()
	return w.finish()
}

// OverBudget reports whether the upper bound of the cost of an object's rules exceeds the budget.
// Validate then counts the exact cost.
func (v *Validator) OverBudget(ctx context.Context, obj value.Value) bool {
	w := newWalk(v)
	w.start(ctx, obj, nil)
	w.run()
	return w.rules.cel.Over()
}
