package walk

import (
	"slices"

	"github.com/diffrun/diffrun/backends/declarative/internal/graph"
	"github.com/diffrun/diffrun/backends/declarative/internal/keyword"
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
	items map[view.Key]int // of a list of type map: the old items by key
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

// typeMeta says that a frame is of the root's apiVersion or kind. Both objects
// were converted to one version, so that a change of them cannot be seen.
func typeMeta(f *frame) bool {
	return f.step == graph.ToField && f.parent.step == graph.ToRoot && (f.name == "apiVersion" || f.name == "kind")
}

// unchanged says that the value of a frame has an old value that equals it.
func (w *walk) unchanged(f *frame) bool {
	if f.old.same == sameUnknown {
		f.old.same = sameNo
		if old, ok := w.old(f); ok && w.read.EqualBy(f.val, old, f.declaring) {
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
		if f.step != graph.ToRoot {
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
	if f.step != graph.ToItem {
		if f.parent.declaring.Field(f.name) == nil {
			return view.View{}, false
		}
		return w.read.Field(within, f.name)
	}
	keys := f.parent.declaring.MapKeys()
	if keys == nil || within.Kind() != view.List {
		return view.View{}, false
	}
	if f.parent.old.items == nil {
		f.parent.old.items = map[view.Key]int{}
		w.read.ByKey(within, keys, f.parent.old.items)
	}
	key, ok := w.read.ScalarKey(f.val, keys)
	if !ok {
		return view.View{}, false
	}
	i, ok := f.parent.old.items[key]
	if !ok {
		return view.View{}, false
	}
	return w.read.At(within, i)
}

// ratchetLists is how the API server ratchets lists of type set and map: it looks
// at them only when the whole old object has no mistake there. Under NativeTypes
// they are ratcheted like everything else.
func (w *walk) ratchetLists() {
	if !w.ratcheting || !w.opts.CustomResource || !w.has(keyword.ListTypes) {
		return
	}
	before := w.v.walks.Get().(*walk)
	before.start(w.ctx, w.v.root, nil, nil)
	before.root.val = w.root.old.val
	before.enter(&before.root)
	if before.has(keyword.ListTypes) {
		w.errs = slices.DeleteFunc(w.errs, func(e found) bool { return e.stage == keyword.ListTypes })
	}
	before.finish()
	w.v.walks.Put(before)
}

func (w *walk) has(s keyword.Stage) bool {
	return slices.ContainsFunc(w.errs, func(e found) bool { return e.stage == s })
}
