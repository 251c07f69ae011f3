package walk

import (
	"github.com/diffrun/diffrun/backends/declarative/internal/graph"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// rulesOfEntries applies the rules of the entries of a map or a Go struct.
func (w *walk) rulesOfEntries(n *graph.Node, f, branch *frame) {
	if n.Additional != nil && n.Additional.HasRules {
		w.rulesOfOthers(n, f, branch)
	}
	for i := range n.RuledProperties {
		part := &n.RuledProperties[i]
		v, ok := w.read.Named(f.val, part.At)
		if !ok {
			continue
		}
		if f.declaring == n { // then it declares the property, too
			w.rulesOfEntry(part.Node, part.Node, part.Node, graph.ToField, part.Name, v, f, branch)
			continue
		}
		name := part.Name
		w.rulesOfEntry(part.Node, f.declaring.Field(name), f.partNode(name), graph.ToField, name, v, f, branch)
	}
}

// rulesOfOthers applies the rules of entries that additionalProperties covers.
func (w *walk) rulesOfOthers(n *graph.Node, f, branch *frame) {
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
		w.rulesOfEntry(n.Additional, declaring, part, graph.ToKey, key, e.Value, f, branch)
	}
}

// rulesOfEntry applies the rules of an entry unless part, its node, makes it absent.
func (w *walk) rulesOfEntry(child, declaring, part *graph.Node, step graph.Step, name string, v view.View, f, branch *frame) {
	if (v.Kind() == view.Null || part == nil || part.StripZero) && w.absent(part, v) {
		return
	}
	in := w.push(f, child, v)
	in.step, in.name = step, name
	if declaring != nil {
		in.declaring = declaring
	}
	w.applyRules(child, in, branch)
}

func (w *walk) rulesOfItems(n *graph.Node, f, branch *frame) {
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
		if w.applyRules(n.Items, in, branch); w.stopped {
			return
		}
	}
}
