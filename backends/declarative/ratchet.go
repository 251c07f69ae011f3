package declarative

import (
	"slices"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Ratcheting follows KEP-4008 and today's API server: an error is dropped when
// the value that it is at, or one that contains it, equals its old value. The old
// value of an entry is the entry of the old map; that of an item of a list of
// type map is the first old item with the same keys; items of other lists have
// none. Nothing here is computed unless there is an error to drop or a rule that
// wants oldSelf.

// oldValue is the old value of a frame, found when it is first asked for.
type oldValue struct {
	state oldState
	val   view.View
	same  sameness
	items map[string]int // of a list of type map: the old items by key
}

type oldState uint8

const (
	oldUnknown oldState = iota
	oldAbsent
	oldPresent
)

type sameness uint8

const (
	sameUnknown sameness = iota
	sameNo
	sameYes
)

// ratchets says that the errors at and below a frame are to be dropped.
func (w *walk) ratchets(f *frame) bool {
	if !w.ratcheting || w.branches > 0 || w.tooDeep || typeMeta(f) {
		return false
	}
	return w.unchanged(f)
}

// drop forgets the failures since there were failures of which kept were kept.
// The API server ratchets schema errors only: those of embedded resources stay,
// and lists are another matter (ratchetLists).
func (w *walk) drop(failures, kept int) {
	w.failures = failures
	if w.opts.Semantics != CustomResources {
		w.errs = w.errs[:kept]
		return
	}
	stays := w.errs[:kept]
	for _, e := range w.errs[kept:] {
		if e.stage != schemas {
			stays = append(stays, e)
			w.failures++
		}
	}
	w.errs = stays
}

// typeMeta says that a frame is of the root's apiVersion or kind. Both objects
// were converted to one version, so that a change of them cannot be seen.
func typeMeta(f *frame) bool {
	return f.step == toField && f.parent.step == toRoot && (f.name == "apiVersion" || f.name == "kind")
}

// unchanged says that the value of a frame has an old value that equals it.
func (w *walk) unchanged(f *frame) bool {
	if f.old.same == sameUnknown {
		f.old.same = sameNo
		if old, ok := w.old(f); ok && w.same(f.spine, f.val, old) {
			f.old.same = sameYes
		}
		if f.old.same == sameNo {
			// What contains a changed value has changed.
			for up := f; up != nil && w.hasOld(up); up = up.parent {
				up.old.same = sameNo
			}
		}
	}
	return f.old.same == sameYes
}

func (w *walk) hasOld(f *frame) bool {
	_, ok := w.old(f)
	return ok
}

// old is the old value of a frame.
func (w *walk) old(f *frame) (view.View, bool) {
	if f.old.state == oldUnknown {
		f.old.state = oldAbsent
		if f.step != toRoot {
			if v, ok := w.findOld(f); ok {
				f.old.state, f.old.val = oldPresent, v
			}
		}
	}
	return f.old.val, f.old.state == oldPresent
}

func (w *walk) findOld(f *frame) (view.View, bool) {
	within, ok := w.old(f.parent)
	if !ok {
		return view.View{}, false
	}
	if f.step != toItem {
		if f.parent.spine.field(f.name) == nil {
			return view.View{}, false
		}
		return w.read.Field(within, f.name)
	}
	keys := f.parent.spine.mapKeys()
	if keys == nil || within.Kind() != view.List {
		return view.View{}, false
	}
	if f.parent.old.items == nil {
		f.parent.old.items = w.byKey(within, keys)
	}
	key, ok := w.scalarKey(f.val, keys)
	if !ok {
		return view.View{}, false
	}
	i, ok := f.parent.old.items[string(key)]
	if !ok {
		return view.View{}, false
	}
	return w.read.At(within, i)
}

// byKey finds the items of a list of type map by their keys. Of several with the
// same key the first counts.
func (w *walk) byKey(list view.View, keys []string) map[string]int {
	size := w.read.Len(list)
	items := make(map[string]int, size)
	for i := range size {
		v, _ := w.read.At(list, i)
		if key, ok := w.scalarKey(v, keys); ok {
			if _, taken := items[string(key)]; !taken {
				items[string(key)] = i
			}
		}
	}
	return items
}

// scalarKey is the key of an item whose keys are all there and scalar. Others
// cannot be correlated.
func (w *walk) scalarKey(item view.View, keys []string) ([]byte, bool) {
	for _, name := range keys {
		v, ok := w.read.Field(item, name)
		if !ok {
			return nil, false
		}
		switch v.Kind() {
		case view.Bool, view.Int, view.Float, view.String:
		default:
			return nil, false
		}
	}
	return w.itemKey(item, keys, asDigits), true
}

// ratchetLists is how the API server ratchets lists of type set and map: it looks
// at them only when the whole old object has no mistake there. Under NativeTypes
// they are ratcheted like everything else.
func (w *walk) ratchetLists() {
	if !w.ratcheting || w.opts.Semantics != CustomResources || !w.has(listTypes) {
		return
	}
	before := w.v.walks.Get().(*walk)
	before.start(w.ctx, w.v.root, nil, nil)
	before.root.val = w.root.old.val
	before.enter(&before.root)
	if before.has(listTypes) {
		w.errs = slices.DeleteFunc(w.errs, func(e found) bool { return e.stage == listTypes })
	}
	before.finish()
	w.v.walks.Put(before)
}

func (w *walk) has(s stage) bool {
	return slices.ContainsFunc(w.errs, func(e found) bool { return e.stage == s })
}

// same compares a value with its old value: lists of type map in any order. In the
// API server a map with an entry that the schema does not know is never the same.
func (w *walk) same(n *node, val, old view.View) bool {
	if val.Kind() != old.Kind() {
		return false
	}
	switch val.Kind() {
	case view.Map:
		return w.sameMap(n, val, old)
	case view.List:
		if keys := n.mapKeys(); keys != nil {
			return w.sameMapList(n, keys, val, old)
		}
	}
	return w.read.Equal(val, old)
}

func (w *walk) sameMap(n *node, val, old view.View) bool {
	if w.read.Len(val) != w.read.Len(old) {
		return false
	}
	for _, key := range w.read.Keys(val) {
		part := n.field(key)
		if part == nil && w.opts.Semantics == CustomResources {
			return false
		}
		v, _ := w.read.Field(val, key)
		o, ok := w.read.Field(old, key)
		if !ok || !w.same(part, v, o) {
			return false
		}
	}
	return true
}

func (w *walk) sameMapList(n *node, keys []string, val, old view.View) bool {
	size := w.read.Len(val)
	if size != w.read.Len(old) {
		return false
	}
	items := w.byKey(old, keys)
	used := map[int]bool{}
	for i := range size {
		v, _ := w.read.At(val, i)
		key, ok := w.scalarKey(v, keys)
		if !ok {
			return false
		}
		at, ok := items[string(key)]
		if !ok || (used[at] && w.opts.Semantics == NativeTypes) {
			// The API server takes a list in which an old item occurs twice for the old
			// list, which is why it does not ratchet duplicates this way.
			return false
		}
		used[at] = true
		o, _ := w.read.At(old, at)
		if !w.same(n.item(), v, o) {
			return false
		}
	}
	return true
}
