package walk

import (
	"fmt"
	"math/bits"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/internal/graph"
	"github.com/diffrun/diffrun/backends/declarative/internal/keyword"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// schemaVisit checks the keywords of a schema on an object.
type schemaVisit struct {
	*walk
	top      *frame  // whose entries or items are visited
	at       subject // of the check that runs
	score    int
	branches int // > 0: in a branch of a junctor
	tooDeep  bool
	times    map[view.Key]int // see duplicates
}

// maxDepth bounds the nesting of an object in levels, so a recursive schema cannot exhaust
// the stack.
const maxDepth = 1000

// enter validates the value of a frame and drops its errors if an update left it unchanged.
func (w *schemaVisit) enter(f *frame) {
	if f.depth > maxDepth {
		w.tooDeep = true
		site := keyword.Site{Origin: "depth"}
		if w.failed(&site) {
			w.report(f, &site, field.Error{
				Type: field.ErrorTypeInvalid, BadValue: field.OmitValueType{},
				Detail: fmt.Sprintf("is nested deeper than %d levels", maxDepth),
			})
		}
		return
	}
	failures, kept := w.failures, len(w.errs)
	w.apply(f.node, f)
	if w.failures > failures && w.ratchets(f) {
		w.drop(failures, kept)
	}
}

// ratchets reports whether to drop the errors at and below a frame.
func (w *schemaVisit) ratchets(f *frame) bool {
	if !w.ratcheting() || w.branches > 0 || w.tooDeep || typeMeta(f) {
		return false
	}
	return w.equalsOld(f)
}

// drop removes the failures after the first ones, of which kept were recorded. The API
// server ratchets schema errors only: errors of embedded resources stay, and lists are
// ratcheted by ratchetLists.
func (w *schemaVisit) drop(failures, kept int) {
	w.failures = failures
	if !w.opts.CustomResource {
		w.errs = w.errs[:kept]
		return
	}
	stays := w.errs[:kept]
	for _, e := range w.errs[kept:] {
		if e.stage != keyword.Schemas {
			stays = append(stays, e)
			w.failures++
		}
	}
	w.errs = stays
}

// apply checks the value of a frame and its parts against a node.
func (w *schemaVisit) apply(n *graph.Node, f *frame) {
	outer := f.node
	f.node = n
	kind := f.val.Kind()
	w.score += n.Score[kind]
	if check := n.Types[kind]; check != nil {
		w.checkType(check, f)
	}
	for _, c := range n.Checks[kind] {
		c.Check(w.subject(f))
	}
	if kind == view.Map {
		w.checkEntries(n, f)
	}
	if kind != view.Null { // as in kube-openapi, null only meets type and enum
		for i := range n.Junctors {
			w.join(&n.Junctors[i], f)
		}
	}
	proving := n.HasRules && w.rules.proving && w.branches == 0
	if proving {
		w.rules.unchangedForRules(f, nil) // before the parts of the value, which ask the frame
	}
	for _, base := range n.Referenced {
		w.apply(base, f)
	}
	if (kind == view.Map && (n.Properties != nil || n.Additional != nil)) || (kind == view.List && n.Items != nil) {
		above := w.top
		w.top = f
		w.parts(f)
		w.top = above
	}
	if proving {
		w.rules.prove(n, f)
	}
	f.node = outer
}

// parts validates the parts of a map or list. JSON data is read directly, typed objects
// through the reader.
func (w *schemaVisit) parts(f *frame) {
	if m, ok := f.val.Entries(); ok {
		for key, x := range m {
			w.Entry(key, view.OfJSON(x))
		}
		return
	}
	if l, ok := f.val.Items(); ok {
		for i, x := range l {
			w.Item(i, view.OfJSON(x))
		}
		return
	}
	if f.node == f.declaring && f.node.Additional == nil && w.branches == 0 && f.val.Kind() == view.Map {
		parts := f.node.Parts()
		if fields, ok := parts.In(f.val); ok {
			w.fields(parts, fields, f)
			return
		}
	}
	w.read.Each(f.val, w)
}

// fields validates the fields of a Go struct.
func (w *schemaVisit) fields(parts *graph.Parts, fields view.Fields, f *frame) {
	for set := fields.MaySet(); set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		if v, ok := fields.Get(i); ok {
			part := &parts.All[i]
			w.entry(part.Node, part.Node, graph.ToField, part.Name, v, f)
		}
	}
}

// Entry validates one entry of the map at the top of the walk. The reader calls it.
func (w *schemaVisit) Entry(key string, v view.View) bool {
	f := w.top
	child, step := f.node.Properties[key], graph.ToField
	if child == nil {
		child, step = f.node.Additional, graph.ToKey
	}
	if child == nil {
		return true
	}
	part := child
	if f.node != f.declaring {
		if p := f.declaring.Field(key); p != nil {
			part = p
		}
	}
	w.entry(child, part, step, key, v, f)
	return true
}

// entry validates an entry against a node. part is the node that decides whether it is absent.
func (w *schemaVisit) entry(child, part *graph.Node, step graph.Step, key string, v view.View, f *frame) {
	if (v.Kind() == view.Null || part.StripZero) && part.Absent(w.read, v) || w.unchecked(child, v, f) {
		return
	}
	in := w.push(f, child, v)
	in.step, in.name, in.declaring = step, key, part
	w.enter(in)
}

// Item validates one item of the list at the top of the walk. The reader calls it.
func (w *schemaVisit) Item(index int, v view.View) bool {
	f := w.top
	if w.unchecked(f.node.Items, v, f) {
		return true
	}
	in := w.push(f, f.node.Items, v)
	in.step, in.index = graph.ToItem, index
	if in.declaring = f.declaring.Item(); in.declaring == nil {
		in.declaring = in.node
	}
	w.enter(in)
	return true
}

// unchecked reports whether a value is a scalar without checks and rules, which needs no frame.
func (w *schemaVisit) unchecked(n *graph.Node, v view.View, in *frame) bool {
	kind := v.Kind()
	if !n.Idle(kind) || in.depth >= maxDepth {
		return false
	}
	w.score += n.Score[kind]
	return true
}
