package declarative

import "github.com/diffrun/diffrun/backends/declarative/internal/view"

// rulePart is a property that has rules, or rules below it.
type rulePart struct {
	name *view.Name
	node *node
}

// nameRuleParts makes the properties with rules ready to be found.
func (c *compiler) nameRuleParts() {
	for i := range c.drafts {
		n := c.drafts[i].node
		if n == nil || n.ruleParts != nil {
			continue
		}
		for _, name := range n.ruleNames {
			n.ruleParts = append(n.ruleParts, rulePart{view.NewName(name), n.properties[name]})
		}
	}
}

// rulesOfEntries applies the rules of what is in a map, or in a struct of Go.
func (w *walk) rulesOfEntries(n *node, f, branch *frame) {
	if n.additional != nil && n.additional.hasRules {
		w.rulesOfOthers(n, f, branch)
	}
	read := w.cel.Reader()
	for i := range n.ruleParts {
		part := &n.ruleParts[i]
		v, ok := part.name.In(read, f.val)
		if !ok {
			continue
		}
		if f.spine == n { // then it declares the property, too
			w.rulesOfEntry(part.node, part.node, part.node, toField, part.name.Text(), v, f, branch)
			continue
		}
		name := part.name.Text()
		w.rulesOfEntry(part.node, f.spine.field(name), f.partNode(name), toField, name, v, f, branch)
	}
}

// rulesOfOthers applies the rules of the entries that are no properties.
func (w *walk) rulesOfOthers(n *node, f, branch *frame) {
	maps := w.cel.Maps()
	all := maps.Hold(f.val) // rules look at other maps meanwhile
	for i, key := range all.Keys {
		if n.properties[key] != nil {
			continue
		}
		spine := n.additional
		part := spine
		if f.spine != n {
			spine, part = f.spine.field(key), f.partNode(key)
		}
		w.rulesOfEntry(n.additional, spine, part, toKey, key, all.Values[i], f, branch)
	}
	maps.Release(all)
}

// rulesOfEntry applies the rules of an entry. part says when it is absent.
func (w *walk) rulesOfEntry(child, spine, part *node, step step, name string, v view.View, f, branch *frame) {
	if (v.Kind() == view.Null || part == nil || part.stripZero) && w.absent(part, v) {
		return
	}
	in := w.push(f, child, v)
	in.step, in.name = step, name
	if spine != nil {
		in.spine = spine
	}
	w.applyRules(child, in, branch)
}

func (w *walk) rulesOfItems(n *node, f, branch *frame) {
	if n.items == nil || !n.items.hasRules {
		return
	}
	read := w.cel.Reader()
	spine := f.spine.item()
	for i := range read.Len(f.val) {
		v, _ := read.At(f.val, i)
		in := w.push(f, n.items, v)
		in.step, in.index = toItem, i
		if spine != nil {
			in.spine = spine
		}
		if w.applyRules(n.items, in, branch); w.stopped {
			return
		}
	}
}
