package walk

import (
	"github.com/diffrun/diffrun/backends/declarative/internal/graph"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// The first visit of an object that is created also proves rules to be true, until one is not proven
// or the object breaks its schema: most objects are right, and need no second visit. It leaves rules
// in branches of allOf to the second visit, and all rules where they are counted.

// prove proves the rules of a node on the value of a frame, whose parts were visited.
func (w *walk) prove(n *graph.Node, f *frame) {
	w.proving = w.failures == 0 && (f.val.Kind() == view.Null || !n.RulesInAllOf && w.proves(n, f))
}

// proves reports whether all rules of a node that apply to the value of a frame are proven.
func (w *walk) proves(n *graph.Node, f *frame) bool {
	for i := range n.Joined {
		if !w.provesJoined(&n.Joined[i], f) {
			return false
		}
	}
	for _, i := range n.Alone {
		r := &n.Rules[i]
		if r.For.Includes(w.opts.Subresource) && !r.Program.NeedsOld() && !w.cel.Proves(w.ctx, r.Program, f.val, view.View{}, false) {
			return false
		}
	}
	return true
}

// provesJoined reports whether joined rules are proven, or do not apply.
func (w *walk) provesJoined(j *graph.Joined, f *frame) bool {
	if !j.For.Includes(w.opts.Subresource) {
		return true
	}
	old, hasOld := w.oldForRules(f, j.WantsOld)
	return w.cel.ProvesJoined(w.ctx, j.Joined, f.val, old, hasOld)
}

// provenGroups returns the numbers of the joined rules of a node that are proven.
func (w *walk) provenGroups(n *graph.Node, f *frame) (proven uint64) {
	for i := range n.Joined {
		if w.provesJoined(&n.Joined[i], f) {
			proven |= 1 << (i + 1)
		}
	}
	return proven
}
