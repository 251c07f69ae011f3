package view

import (
	"reflect"
	"sort"
	"unsafe"
)

// Entries are the entries of a map, sorted by key. They stay valid as long as the object.
type Entries struct {
	Keys   []string
	Values []View
}

// Entries gives the entries of a map.
func (r *Reader) Entries(v View) *Entries {
	e := &Entries{}
	if t, _ := v.raw.(*Type); v.kind == Map && v.mode == typed && t.form == aMap {
		e.fillTyped(r, t, v.at)
	} else if v.kind == Map {
		r.Each(v, e)
	}
	sort.Sort(e)
	return e
}

// fillTyped reads a map of Go, whose values are copied to where they can stay.
func (e *Entries) fillTyped(r *Reader, t *Type, at unsafe.Pointer) {
	n := t.value(at).Len()
	room := reflect.MakeSlice(reflect.SliceOf(t.elem.goType), n, n)
	e.Keys, e.Values = make([]string, 0, n), make([]View, 0, n)
	visit := r.visit(t, at)
	defer r.leave(visit)
	for i := 0; i < n && visit.iter.Next(); i++ {
		to := room.Index(i)
		to.SetIterValue(&visit.iter)
		visit.key.SetIterKey(&visit.iter)
		e.Entry(keyText(visit.key), t.elem.view(to.Addr().UnsafePointer()))
	}
}

// Entry implements Visitor.
func (e *Entries) Entry(key string, v View) bool {
	e.Keys, e.Values = append(e.Keys, key), append(e.Values, v)
	return true
}

// Item implements Visitor. Maps have no items.
func (e *Entries) Item(int, View) bool { return false }

// Len implements sort.Interface.
func (e *Entries) Len() int { return len(e.Keys) }

// Less implements sort.Interface.
func (e *Entries) Less(i, k int) bool { return e.Keys[i] < e.Keys[k] }

// Swap implements sort.Interface.
func (e *Entries) Swap(i, k int) {
	e.Keys[i], e.Keys[k] = e.Keys[k], e.Keys[i]
	e.Values[i], e.Values[k] = e.Values[k], e.Values[i]
}
