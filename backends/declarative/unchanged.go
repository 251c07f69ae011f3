package declarative

import (
	"slices"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Most updates of an object by a controller change nothing. Comparing it with the old
// one is cheaper than validating it, and all that a schema finds in a value that has
// not changed is dropped in the end. Rules that look at oldSelf always count; and so
// does, in the API server, one that cannot be evaluated.

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

// settled says that what is found in the value of a frame is dropped, whatever it is, but
// for rules that look at oldSelf: the value is in one that did not change (see ratchets
// and ratchetsRule). A false means nothing. In the API server a rule that cannot be
// evaluated is an error on an unchanged value too, so that only those are not run of which
// it is known that they can be (see sparing.go).
//
// The object, its fields and the items of lists by keys are compared with their old
// values, and what is in an unchanged one is unchanged.
func (w *walk) settled(f, branch *frame) bool {
	custom := w.opts.Semantics == CustomResources
	if !w.updating || w.everyRule || w.opts.Ratcheting == RatchetingOff || (custom && !w.certain) || typeMeta(f) {
		return false
	}
	if branch != nil {
		at := branch.parentFrame()
		return at != nil && at.old.same == sameYes
	}
	if custom {
		return w.settledData(f)
	}
	if f.old.same == sameUnknown && w.still(f) {
		f.old.same = sameYes
	}
	return f.old.same == sameYes
}

func (w *walk) still(f *frame) bool {
	if f.inSettled() {
		return true
	}
	if f.step != toRoot && f.parent.step != toRoot && f.step != toItem {
		return false
	}
	old, ok := w.old(f)
	return ok && w.identical(f.spine, f.val, old, f.depth)
}

// inSettled says that what contains the value did not change.
func (f *frame) inSettled() bool { return f.step != toRoot && f.parent.old.same == sameYes }

// joined says that rules are joined to those of a node by allOf. They are ratcheted with
// what contains the value.
func (n *node) joined() bool {
	return slices.ContainsFunc(n.allOf, func(b *node) bool { return b.hasRules }) || slices.ContainsFunc(n.also, (*node).joined)
}

// identical says that two values are surely the same, as same has it.
func (w *walk) identical(n *node, val, old view.View, depth int) bool {
	if val.Kind() != old.Kind() || val.Typed() != old.Typed() || depth > maxDepth {
		return false
	}
	switch val.Kind() {
	case view.Map:
		return w.identicalMaps(n, val, old, depth)
	case view.List:
		return w.identicalLists(n, val, old, depth)
	case view.Null:
		return true
	}
	return view.EqualScalars(val, old)
}

func (w *walk) identicalMaps(n *node, val, old view.View, depth int) bool {
	if val.Typed() {
		return w.identicalTyped(n, val, old, depth)
	}
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

// identicalTyped compares structs of one Go type. Maps of native types are left to same,
// unless their values are scalars.
func (w *walk) identicalTyped(n *node, val, old view.View, depth int) bool {
	t, ok := val.Struct()
	before, okBefore := old.Struct()
	if !ok || !okBefore {
		if equal, known := w.read.EqualMaps(val, old); known && (w.opts.Semantics == NativeTypes || n.others() != nil) {
			return equal
		}
		if w.opts.Semantics == NativeTypes {
			return w.same(n, val, old)
		}
		return w.identicalEntries(n, val, old, depth)
	}
	if t != before {
		return false
	}
	for i := range t.Fields() {
		x, there := val.FieldAt(i)
		y, thereBefore := old.FieldAt(i)
		if there != thereBefore {
			return false
		}
		if !there {
			continue
		}
		part := n.field(t.FieldName(i))
		if part == nil && w.opts.Semantics == CustomResources {
			return false
		}
		if !w.identical(part, x, y, depth+1) {
			return false
		}
	}
	return true
}

// identicalEntries compares maps of Go by their entries. In custom resources same does not
// do: a list with an item twice counts as one that had it once, and is an error still.
func (w *walk) identicalEntries(n *node, val, old view.View, depth int) bool {
	if w.read.Len(val) != w.read.Len(old) {
		return false
	}
	for _, key := range w.read.Keys(val) {
		part := n.field(key)
		x, _ := w.read.Field(val, key)
		y, there := w.read.Field(old, key)
		if part == nil || !there || !w.identical(part, x, y, depth+1) {
			return false
		}
	}
	return true
}

// identicalLists compares lists in order: those of type map must have their items
// correlated by keys, which is left to same when there are several.
func (w *walk) identicalLists(n *node, val, old view.View, depth int) bool {
	size := w.read.Len(val)
	if size != w.read.Len(old) {
		return false
	}
	if keys := n.mapKeys(); keys != nil && !w.correlated(val, size, keys) {
		return false
	}
	part := n.item()
	for i := range size {
		x, _ := w.read.At(val, i)
		y, _ := w.read.At(old, i)
		if !w.identical(part, x, y, depth+1) {
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
