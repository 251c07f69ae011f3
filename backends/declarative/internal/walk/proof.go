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
		j := &n.Joined[i]
		if j.For.Includes(w.opts.Subresource) && !w.cel.ProvesJoined(j.Joined, &f.val, nil) {
			return false
		}
	}
	for _, i := range n.Alone {
		r := &n.Rules[i]
		if r.For.Includes(w.opts.Subresource) && !r.Program.NeedsOld() && !w.cel.Proves(r.Program, &f.val, nil) {
			return false
		}
	}
	return true
}

// provenGroups returns the numbers of the joined rules of a node that are proven, or do not apply.
func (w *walk) provenGroups(n *graph.Node, f *frame) (proven uint64) {
	for i := range n.Joined {
		j := &n.Joined[i]
		old, hasOld := w.oldForRules(f, j.WantsOld)
		earlier := &old
		if !hasOld {
			earlier = nil
		}
		if !j.For.Includes(w.opts.Subresource) || w.cel.ProvesJoined(j.Joined, &f.val, earlier) {
			proven |= 1 << (i + 1)
		}
	}
	return proven
}
