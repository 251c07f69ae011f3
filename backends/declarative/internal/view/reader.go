package view

import (
	"sort"

	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// Visitor is told about the entries of a map and the items of a list. The View
// is valid only during the call. Returning false stops the visit.
type Visitor interface {
	Entry(key string, v View) bool
	Item(index int, v View) bool
}

// Reader reads what is inside of a View. It belongs to one goroutine. It is made
// once for many reads: the closure that value.Map wants for an iteration is made
// with it, because one closure for each map costs more than the rest of a walk.
type Reader struct {
	alloc value.Allocator
	to    Visitor
	entry func(key string, v value.Value) bool
	maps  []*mapVisit // see eachTyped
	depth int
	sides [2]Entries // see equalScalarMaps
	key   []byte     // see Key
}

// NewReader gives a Reader whose intermediate values of typed objects come from
// alloc: value.HeapAllocator when Views are kept, a freelist when they are not.
func NewReader(alloc value.Allocator) *Reader {
	r := &Reader{alloc: alloc}
	r.entry = func(key string, v value.Value) bool { return r.to.Entry(key, Of(v)) }
	return r
}

// Len is the number of entries of a map or items of a list, else 0.
func (r *Reader) Len(v View) int {
	switch {
	case v.kind == Map && v.mode == data:
		return len(v.raw.(map[string]any))
	case v.kind == List && v.mode == data:
		return len(v.raw.([]any))
	case v.mode == typed:
		return v.length()
	case v.kind == Map:
		m := v.val().AsMapUsing(r.alloc)
		defer r.alloc.Free(m)
		return m.Length()
	case v.kind == List:
		l := v.val().AsListUsing(r.alloc)
		defer r.alloc.Free(l)
		return l.Length()
	}
	return 0
}

// Field gives the entry of a map. It is false when there is none, or when v is
// not a map.
func (r *Reader) Field(v View, name string) (View, bool) {
	if v.kind != Map {
		return View{}, false
	}
	switch v.mode {
	case data:
		x, ok := v.raw.(map[string]any)[name]
		if !ok {
			return View{}, false
		}
		return OfJSON(x), true
	case typed:
		return v.field(name)
	}
	m := v.val().AsMapUsing(r.alloc)
	defer r.alloc.Free(m)
	x, ok := m.GetUsing(r.alloc, name)
	if !ok {
		return View{}, false
	}
	return Of(x), true
}

// At gives the item of a list. It is false outside of the list, or when v is not
// a list.
func (r *Reader) At(v View, index int) (View, bool) {
	if v.kind != List || index < 0 || index >= r.Len(v) {
		return View{}, false
	}
	switch v.mode {
	case data:
		return OfJSON(v.raw.([]any)[index]), true
	case typed:
		return v.ItemAt(index), true
	}
	l := v.val().AsListUsing(r.alloc)
	defer r.alloc.Free(l)
	return Of(l.AtUsing(r.alloc, index)), true
}

// Each tells to about the entries of a map, in no order, or the items of a list,
// in order. It may be called again from within.
func (r *Reader) Each(v View, to Visitor) {
	switch {
	case v.mode == typed:
		r.eachTyped(v, to)
	case v.kind == Map && v.mode == data:
		for k, x := range v.raw.(map[string]any) {
			if !to.Entry(k, OfJSON(x)) {
				return
			}
		}
	case v.kind == List && v.mode == data:
		for i, x := range v.raw.([]any) {
			if !to.Item(i, OfJSON(x)) {
				return
			}
		}
	case v.kind == Map:
		r.eachEntry(v, to)
	case v.kind == List:
		r.eachItem(v, to)
	}
}

func (r *Reader) eachEntry(v View, to Visitor) {
	m := v.val().AsMapUsing(r.alloc)
	defer r.alloc.Free(m)
	outer := r.to
	r.to = to
	m.IterateUsing(r.alloc, r.entry)
	r.to = outer
}

func (r *Reader) eachItem(v View, to Visitor) {
	l := v.val().AsListUsing(r.alloc)
	defer r.alloc.Free(l)
	items := l.RangeUsing(r.alloc)
	defer r.alloc.Free(items)
	for items.Next() {
		if i, x := items.Item(); !to.Item(i, Of(x)) {
			return
		}
	}
}

// Keys gives the keys of a map, sorted.
func (r *Reader) Keys(v View) []string {
	if v.kind != Map {
		return nil
	}
	c := keys{names: make([]string, 0, r.Len(v))}
	r.Each(v, &c)
	if _, sorted := v.Struct(); !sorted {
		sort.Strings(c.names)
	}
	return c.names
}

type keys struct{ names []string }

func (c *keys) Entry(key string, _ View) bool {
	c.names = append(c.names, key)
	return true
}

func (c *keys) Item(int, View) bool { return false }

// Zero says that the value is what Go leaves when nothing was set: null, false,
// 0, "", an empty list, an empty map. This is what x-kubernetes-strip-zero
// strips (KEP-4153, "Zero-Valued Primitive Fields").
func (r *Reader) Zero(v View) bool {
	switch v.kind {
	case Null:
		return true
	case Bool:
		return !v.Bool()
	case Int, Float:
		return v.Float() == 0
	case String:
		return v.Str() == ""
	case List, Map:
		if t, ok := v.Struct(); ok {
			return t.emptyStruct(v.at)
		}
		return r.Len(v) == 0
	}
	return false
}

// Zero is Reader.Zero of JSON data.
func Zero(x any) bool {
	r := Reader{alloc: value.HeapAllocator}
	return r.Zero(OfJSON(x))
}
