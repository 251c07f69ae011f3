package declarative

import "github.com/diffrun/diffrun/backends/declarative/internal/view"

// Most updates of an object by a controller change nothing. Comparing it with the old
// one is cheaper than validating it, and all that a schema finds in an object that
// has not changed is dropped in the end. Rules run nevertheless: those that look at
// oldSelf always count, and so does, in the API server, one that cannot be evaluated.

// unchangedRoot says that the object equals the old one, so that nothing that a
// schema finds in it would be kept. A false means nothing.
func (w *walk) unchangedRoot() bool {
	if !w.updating || w.opts.Ratcheting == RatchetingOff || (w.v.embeds && w.opts.Semantics == CustomResources) {
		return false
	}
	if !w.identical(w.root.spine, w.root.val, w.root.old.val, 0) {
		return false
	}
	w.root.old.same = sameYes
	return true
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
	if w.distinct(list, size, keys) {
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
