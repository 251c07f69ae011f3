package walk

import (
	"slices"

	"github.com/diffrun/diffrun/backends/declarative/internal/graph"
	"github.com/diffrun/diffrun/backends/declarative/internal/keyword"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Ratcheting follows KEP-4008 and today's API server: an error is dropped if its value, or
// a value around it, equals the old one. The old value of an entry is the entry of the old
// map. The old value of an item of a list of type map is the first old item with the same
// keys; items of other lists have none. Old values are looked up only if there is an error
// to drop or a rule that uses oldSelf.

// oldValue is the old value of a frame, looked up on first use.
type oldValue struct {
	there        answer // there is one
	val          view.View
	same         answer           // the value equals it
	differsFirst bool             // the first difference of the objects is in it
	items        map[view.Key]int // of a list of type map: the old items by key
}

// answer is the answer to a question that is asked once.
type answer uint8

const (
	unknown answer = iota
	no
	yes
)

// typeMeta reports whether a frame is the root's apiVersion or kind. Both objects were
// converted to one version, so a change of them is invisible.
func typeMeta(f *frame) bool {
	return f.step == graph.ToField && f.parent.step == graph.ToRoot && (f.name == "apiVersion" || f.name == "kind")
}

// unchanged reports whether the value of a frame equals its old value.
func (w *walk) unchanged(f *frame) bool {
	if f.old.same == unknown {
		f.old.same = w.alreadyCompared(f)
	}
	if f.old.same == unknown {
		f.old.same = no
		if old, ok := w.old(f); ok && w.read.EqualBy(f.val, old, f.declaring) {
			f.old.same = yes
		}
		if f.step == graph.ToRoot {
			w.firstDifference, f.old.differsFirst = append(w.firstDifference[:0], w.read.FirstDifference()...), f.old.same == no
		}
		if f.old.same == no {
			// Values that contain a changed value have changed.
			for up := f; up != nil && w.hasOld(up); up = up.parent {
				up.old.same = no
			}
		}
	}
	return f.old.same == yes
}

// alreadyCompared returns whether the value of a frame equals its old value, if the comparison of the objects has
// shown it. The comparison ended at the first difference: values that contain it have changed, and values
// before it have not. So they are not compared again.
func (w *walk) alreadyCompared(f *frame) answer {
	if f.step == graph.ToRoot || !f.parent.old.differsFirst || f.parent.depth >= len(w.firstDifference) {
		return unknown
	}
	first := w.firstDifference[len(w.firstDifference)-1-f.parent.depth]
	here, before := f.name == first.Name, f.name < first.Name
	if f.step == graph.ToItem {
		here, before = f.index == first.Index, f.index < first.Index
	}
	switch {
	case !here && !before || !w.hasOld(f): // items of other lists than maps have no old value
		return unknown
	case here:
		f.old.differsFirst = true
		return no
	}
	return yes
}

// equalsOld reports whether the value of a frame with an error is the old one. Compared by its keys, a
// list with an item twice equals no list. Upstream's generated code compares native types item by
// item, and so does equalsOld.
func (w *walk) equalsOld(f *frame) bool {
	if w.unchanged(f) {
		return true
	}
	old, ok := w.old(f)
	return ok && !w.opts.CustomResource && w.read.Equal(f.val, old)
}

func (w *walk) hasOld(f *frame) bool {
	_, ok := w.old(f)
	return ok
}

// old returns the old value of a frame.
func (w *walk) old(f *frame) (view.View, bool) {
	if f.old.there == unknown {
		f.old.there = no
		if f.step != graph.ToRoot {
			if v, ok := w.findOld(f); ok {
				f.old.there, f.old.val = yes, v
			}
		}
	}
	return f.old.val, f.old.there == yes
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

// ratchetLists ratchets lists of type set and map of custom resources: the API server drops
// all their errors if the old object has any such error.
func (w *walk) ratchetLists() {
	if !w.ratcheting() || !w.opts.CustomResource || !w.has(keyword.ListTypes) {
		return
	}
	before := w.v.walks.Get().(*walk)
	before.start(w.ctx, nil, nil)
	before.root.val = w.root.old.val
	before.schema.enter(&before.root)
	if before.has(keyword.ListTypes) {
		w.errs = slices.DeleteFunc(w.errs, func(e found) bool { return e.stage == keyword.ListTypes })
	}
	before.finish()
	w.v.walks.Put(before)
}

func (w *walk) has(s keyword.Stage) bool {
	return slices.ContainsFunc(w.errs, func(e found) bool { return e.stage == s })
}
