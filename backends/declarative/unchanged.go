package declarative

import "github.com/diffrun/diffrun/backends/declarative/internal/view"

// Most updates of an object by a controller change nothing. Comparing it with the old
// one is cheaper than validating it, and all that a schema finds in a value that has
// not changed is dropped in the end. Rules run nevertheless: those that look at
// oldSelf always count, and so does, in the API server, one that cannot be evaluated.

// unchangedField says that a field of the root, which is most of the object, equals
// the old one, so that nothing that the schema finds in it would be kept. A false
// means nothing. The root itself never counts as unchanged in the API server, because
// no schema declares all of metadata.
func (w *walk) unchangedField(part *node, name string, val view.View) bool {
	if w.branches > 0 || w.opts.Ratcheting == RatchetingOff || (w.v.embeds && w.opts.Semantics == CustomResources) {
		return false
	}
	if name == "apiVersion" || name == "kind" {
		return false
	}
	old, ok := w.read.Field(w.root.old.val, name)
	return ok && w.identical(part, val, old, 1)
}

// identical says that two values of JSON data are surely the same, as same has it.
func (w *walk) identical(n *node, val, old view.View, depth int) bool {
	if val.Kind() != old.Kind() || depth > maxDepth {
		return false
	}
	switch val.Kind() {
	case view.Map:
		return w.identicalMaps(n, val, old, depth)
	case view.List:
		return w.identicalLists(n, val, old, depth)
	case view.Null:
		return !val.Typed() && !old.Typed()
	}
	return view.EqualScalars(val, old)
}

func (w *walk) identicalMaps(n *node, val, old view.View, depth int) bool {
	entries, ok := val.Entries()
	before, okBefore := old.Entries()
	if !ok || !okBefore || len(entries) != len(before) {
		return false
	}
	for key, x := range entries {
		y, there := before[key]
		if !there {
			return false
		}
		part := n.field(key)
		if part == nil && w.opts.Semantics == CustomResources {
			return false
		}
		if !w.identical(part, view.OfJSON(x), view.OfJSON(y), depth+1) {
			return false
		}
	}
	return true
}

// identicalLists compares lists in order: those of type map must have their items
// correlated by keys, which is left to same when there are several.
func (w *walk) identicalLists(n *node, val, old view.View, depth int) bool {
	items, ok := val.Items()
	before, okBefore := old.Items()
	if !ok || !okBefore || len(items) != len(before) {
		return false
	}
	if keys := n.mapKeys(); keys != nil && !w.correlated(val, len(items), keys) {
		return false
	}
	part := n.item()
	for i, x := range items {
		if !w.identical(part, view.OfJSON(x), view.OfJSON(before[i]), depth+1) {
			return false
		}
	}
	return true
}

// correlated says that the items of a list of type map have keys by which each is
// found again.
func (w *walk) correlated(list view.View, size int, keys []string) bool {
	if w.distinct(list, keys) && !w.keys.gaps {
		return true
	}
	seen := w.seen()
	for i := range size {
		item, _ := w.read.At(list, i)
		key, ok := w.scalarKey(item, keys)
		if !ok || seen.second(key) {
			return false
		}
	}
	return true
}
