package walk

import (
	"github.com/diffrun/diffrun/backends/declarative/internal/graph"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// applyEntries applies the rules of the entries of a map or a Go struct.
func (w *ruleVisit) applyEntries(n *graph.Node, f, branch *frame) {
	if n.Additional != nil && n.Additional.HasRules {
		w.applyOthers(n, f, branch)
	}
	for _, name := range n.Ruled {
		if v, ok := w.read.Field(f.val, name); ok {
			w.applyProperty(n, name, v, f, branch)
		}
	}
}

// applyProperty applies the rules of a property.
func (w *ruleVisit) applyProperty(n *graph.Node, name string, v view.View, f, branch *frame) {
	property := n.Properties[name]
	if f.declaring == n { // then it declares the property, too
		w.applyEntry(property, property, property, graph.ToField, name, v, f, branch)
		return
	}
	w.applyEntry(property, f.declaring.Field(name), f.partNode(name), graph.ToField, name, v, f, branch)
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
