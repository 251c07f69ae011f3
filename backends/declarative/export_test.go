package declarative

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative/cel"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Proof is what the proof of a schema says about an object.
func (v *Validator) Proof(obj value.Value) (fits, sure bool) { return v.ProofOfUpdate(obj, nil) }

// ProofOfUpdate is what the proof says when the object is an update of old, if that is not nil.
func (v *Validator) ProofOfUpdate(obj, old value.Value) (fits, sure bool) {
	w := v.walks.Get().(*walk)
	defer v.walks.Put(w)
	w.start(context.Background(), v.root, obj, old)
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

// ValidateAll is Validate with all rules run, whether the update changed something for
// them or not.
func (v *Validator) ValidateAll(ctx context.Context, obj, old value.Value) field.ErrorList {
	w := newWalk(v)
	w.everyRule = true
	w.start(ctx, v.root, obj, old)
	w.run()
	return w.finish()
}

// ValidatePatiently is Validate where lists and maps are compared for however little their
// rules are worth. spared says that some was the same.
func (v *Validator) ValidatePatiently(ctx context.Context, obj, old value.Value) (errs field.ErrorList, spared bool) {
	w := newWalk(v)
	w.patient = true
	w.start(ctx, v.root, obj, old)
	w.run()
	if w.cel.Over() {
		return v.Validate(ctx, obj, old), false
	}
	spared = w.spent
	return w.finish(), spared
}

// Sparing says whether some list or map with rules was the same, and whether what rules
// may cost was too much then.
func (v *Validator) Sparing(ctx context.Context, obj, old value.Value) (spared, over bool) {
	w := newWalk(v)
	w.start(ctx, v.root, obj, old)
	w.run()
	return w.spent, w.cel.Over()
}

// Held counts what HoldTotals looked at: rules that are total, those that were true or
// false of a value, and the objects of which that can be said.
type Held struct{ Total, Ran, Objects, Rules int }

// HoldTotals runs all rules that are total on an object that the schema fits, as cel-go
// does and with no more budget than they are said to need, and tells the first that cannot
// be evaluated.
func (v *Validator) HoldTotals(obj value.Value, held *Held) (wrong string) {
	w := newWalk(v)
	w.start(context.Background(), v.root, obj, nil)
	if w.ask() != fit || w.uneven {
		return ""
	}
	held.Objects++
	return w.holdTotals(v.root, w.root.val, "self", held)
}

func (w *walk) holdTotals(n *node, val view.View, at string, held *Held) string {
	if n == nil || !n.hasRules || val.Kind() == view.Null {
		return ""
	}
	for i := range n.rules {
		held.Rules++
		t, ok := n.rules[i].program.Total()
		if !ok {
			continue
		}
		held.Total++
		x := val.JSON()
		if slices.ContainsFunc(t.Needs, func(way []string) bool { return !meets(x, way) }) {
			continue
		}
		held.Ran++
		w.cel.Reset(max(int64(t.Cost), 1)) // without a budget nothing runs
		w.cel.Exact()
		if outcome, detail := w.cel.Run(w.ctx, n.rules[i].program, val, view.View{}, false); outcome != cel.Passed && outcome != cel.Failed {
			return fmt.Sprintf("%s, cost at most %d: %s", at, t.Cost, detail)
		}
	}
	for _, part := range slices.Concat(n.also, n.allOf) {
		if wrong := w.holdTotals(part, val, at, held); wrong != "" {
			return wrong
		}
	}
	wrong := ""
	w.read.Each(val, eachPart{func(name string, x view.View) bool {
		part := n.properties[name]
		if part == nil {
			part = n.additional
		}
		if !w.absent(part, x) {
			wrong = w.holdTotals(part, x, at+"."+name, held)
		}
		return wrong == ""
	}, func(i int, x view.View) bool {
		wrong = w.holdTotals(n.items, x, fmt.Sprintf("%s[%d]", at, i), held)
		return wrong == ""
	}})
	return wrong
}

// eachPart visits what is in a value.
type eachPart struct {
	entry func(string, view.View) bool
	item  func(int, view.View) bool
}

func (p eachPart) Entry(name string, x view.View) bool { return p.entry(name, x) }
func (p eachPart) Item(i int, x view.View) bool        { return p.item(i, x) }
