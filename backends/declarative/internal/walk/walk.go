package walk

import (
	"context"

	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
	"github.com/diffrun/diffrun/backends/declarative/tally"
)

// walk is one validation: a visit for the schema and a visit for the rules, which share the frames,
// the old values and the errors. It is pooled.
type walk struct {
	v    *Validator
	opts *Options
	ctx  context.Context
	read *view.Reader
	root frame

	schema schemaVisit
	rules  ruleVisit

	updating        bool
	firstDifference []view.Step // the path to the first difference of the objects, the last step first

	errs     []found
	failures int          // including those that were not kept
	quiet    int          // > 0: failures are counted, not kept
	tally    *tally.Input // nil: nothing is counted
}

func newWalk(v *Validator) *walk {
	w := &walk{v: v, opts: &v.opts}
	w.schema = schemaVisit{walk: w, times: map[view.Key]int{}}
	w.rules = ruleVisit{walk: w, cel: cel.NewEvaluator()}
	w.read = w.rules.cel.Reader()
	if v.opts.Tally != nil {
		w.tally = v.opts.Tally.NewInput()
	}
	return w
}

// run validates the object by the schema, and by the rules that the visit for the schema did not prove.
func (w *walk) run() {
	w.rules.proving = w.tally == nil && w.ctx.Err() == nil
	w.schema.enter(&w.root)
	w.ratchetLists()
	if w.root.node.HasRules && !w.schema.tooDeep && !w.rules.blocked() && !w.rules.proving {
		w.rules.apply(w.root.node, &w.root, nil)
	}
}

// start begins the validation of an object, or of the update of old to it.
func (w *walk) start(ctx context.Context, obj, old value.Value) {
	w.ctx = ctx
	w.root = frame{deeper: w.root.deeper, val: w.v.types.Of(obj), node: w.v.root, declaring: w.v.root}
	if w.updating = old != nil; w.updating {
		w.root.old = oldValue{there: yes, val: w.v.types.Of(old)}
	}
	w.errs, w.failures, w.quiet = w.errs[:0], 0, 0
	w.schema.score, w.schema.branches, w.schema.tooDeep = 0, 0, false
	w.rules.proving, w.rules.stopped = false, false
	if w.tally != nil {
		w.tally.Reset()
	}
	w.rules.cel.Reset(w.opts.Budget)
}

// ratcheting reports whether errors at unchanged values are dropped.
func (w *walk) ratcheting() bool { return w.updating && w.opts.Ratcheting }
