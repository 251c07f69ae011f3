package walk

import (
	"math/bits"

	"github.com/diffrun/diffrun/backends/declarative/internal/graph"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// applyEntries applies the rules of the entries of a map or a Go struct.
func (w *ruleVisit) applyEntries(n *graph.Node, f, branch *frame) {
	if n.Additional != nil && n.Additional.HasRules {
		w.applyOthers(n, f, branch)
	}
	if n.Ruled == nil {
		return
	}
	if fields, ok := n.Ruled.In(f.val); ok {
		for set := fields.MaySet(); set != 0; set &= set - 1 {
			i := bits.TrailingZeros64(set)
			if v, ok := fields.Get(i); ok {
				w.applyProperty(n, &n.Ruled.All[i], v, f, branch)
			}
		}
		return
	}
	for i := range n.Ruled.All {
		part := &n.Ruled.All[i]
		if v, ok := w.read.Named(f.val, part.At); ok {
			w.applyProperty(n, part, v, f, branch)
		}
	}
}

// applyProperty applies the rules of a property.
func (w *ruleVisit) applyProperty(n *graph.Node, part *graph.Part, v view.View, f, branch *frame) {
	if f.declaring == n { // then it declares the property, too
		w.applyEntry(part.Node, part.Node, part.Node, graph.ToField, part.Name, v, f, branch)
		return
	}
	w.applyEntry(part.Node, f.declaring.Field(part.Name), f.partNode(part.Name), graph.ToField, part.Name, v, f, branch)
}

// applyOthers applies the rules of entries that additionalProperties covers.
func (w *ruleVisit) applyOthers(n *graph.Node, f, branch *frame) {
	for _, e := range w.read.Entries(f.val) {
		key := e.Key
		if n.Properties[key] != nil {
			continue
		}
		declaring := n.Additional
		part := declaring
		if f.declaring != n {
			declaring, part = f.declaring.Field(key), f.partNode(key)
		}
		w.applyEntry(n.Additional, declaring, part, graph.ToKey, key, e.Value, f, branch)
	}
}

// applyEntry applies the rules of an entry unless part, its node, makes it absent.
func (w *ruleVisit) applyEntry(child, declaring, part *graph.Node, step graph.Step, name string, v view.View, f, branch *frame) {
	if (v.Kind() == view.Null || part == nil || part.StripZero) && part.Absent(w.read, v) {
		return
	}
	in := w.push(f, child, v)
	in.step, in.name = step, name
	if declaring != nil {
		in.declaring = declaring
	}
	w.apply(child, in, branch)
}

func (w *ruleVisit) applyItems(n *graph.Node, f, branch *frame) {
	if n.Items == nil || !n.Items.HasRules {
		return
	}
	declaring := f.declaring.Item()
	for i := range w.read.Len(f.val) {
		v, _ := w.read.At(f.val, i)
		in := w.push(f, n.Items, v)
		in.step, in.index = graph.ToItem, i
		if declaring != nil {
			in.declaring = declaring
		}
		if w.apply(n.Items, in, branch); w.stopped {
			return
		}
	}
}
