package view

import (
	"reflect"
	"slices"
	"sort"
	"unsafe"
)

// Maps remembers what is in the maps that were looked at last, for several rules mostly
// look at the same. It belongs to one goroutine, and the objects may not change between
// two calls of Forget.
type Maps struct {
	read  *Reader
	known [1 << rememberedBits]*Entries // each at one of two places, by its address
	other uint                          // of the two, the one that is taken next
	turn  int
}

const rememberedBits = 4

// NewMaps gives a Maps. The Views of the Reader must stay valid.
func NewMaps(r *Reader) *Maps { return &Maps{read: r} }

// Entries are the entries of a map, sorted by key.
type Entries struct {
	Keys   []string
	Values []View

	of   View
	at   uintptr // where the map is; 0: that is not known
	turn int     // when it was looked at last
	held int
	room reflect.Value
}

// Next says that nothing is needed any more of what was given before.
func (m *Maps) Next() { m.turn++ }

// Forget lets go of all maps.
func (m *Maps) Forget() {
	for _, e := range m.known {
		if e != nil {
			e.clear()
		}
	}
}

// Of gives the entries of a map. They are valid until Next.
func (m *Maps) Of(v View) *Entries {
	at := v.address()
	if at == 0 {
		made := &Entries{}
		made.fill(m.read, v)
		return made
	}
	if e := m.find(v, at); e != nil {
		return e
	}
	to := bucket(at) ^ m.other
	e := m.known[to]
	if e == nil || e.turn == m.turn || e.held > 0 { // somebody may still look at it
		e = &Entries{}
		m.known[to] = e
	}
	m.other ^= 1
	e.clear()
	e.of, e.at, e.turn = v, at, m.turn
	e.fill(m.read, v)
	return e
}

// Hold is Of for entries that are valid until Release.
func (m *Maps) Hold(v View) *Entries {
	e := m.Of(v)
	e.held++
	return e
}

// Release is said when entries that were held are not needed any more.
func (m *Maps) Release(e *Entries) { e.held-- }

// Field is Reader.Field, and the size of the map. It remembers small maps, and looks into
// those that it knows.
func (m *Maps) Field(v View, key string) (x View, size int, ok bool) {
	const small = 8
	if at := v.address(); at != 0 {
		e := m.find(v, at)
		if e == nil && m.read.Len(v) <= small {
			e = m.Of(v)
		}
		if e != nil {
			x, ok = e.Find(key)
			return x, len(e.Keys), ok
		}
	}
	x, ok = m.read.Field(v, key)
	return x, m.read.Len(v), ok
}

func (m *Maps) find(v View, at uintptr) *Entries {
	i := bucket(at)
	e := m.known[i]
	if e == nil || e.at != at {
		if e = m.known[i^1]; e == nil || e.at != at {
			return nil
		}
	}
	if e.of.mode != v.mode || v.mode == typed && e.of.raw != v.raw {
		return nil
	}
	e.turn = m.turn
	return e
}

// bucket is the first of the two places where a map is remembered.
func bucket(at uintptr) uint {
	return uint(uint64(at)*0x9e3779b97f4a7c15>>(64-rememberedBits)) % (1 << rememberedBits)
}

// address tells maps apart that are not structs; 0 for what is none.
func (v View) address() uintptr {
	if v.kind == Map && v.mode == data {
		return reflect.ValueOf(v.raw).Pointer()
	}
	if t, ok := v.raw.(*Type); ok && v.kind == Map && v.mode == typed && t.form == aMap {
		return uintptr(*(*unsafe.Pointer)(v.at))
	}
	return 0
}

func (e *Entries) clear() {
	clear(e.Keys)
	clear(e.Values)
	if e.room.IsValid() {
		e.room.Clear()
	}
	e.Keys, e.Values, e.of, e.at = e.Keys[:0], e.Values[:0], View{}, 0
}

// fill reads a map.
func (e *Entries) fill(r *Reader, v View) {
	t, _ := v.raw.(*Type)
	switch {
	case v.kind != Map:
		return
	case v.mode == typed && t.form == aMap:
		e.fillTyped(r, t, v.at)
	case v.mode == foreign: // what is visited is not valid after the visit
		for _, key := range r.Keys(v) {
			x, _ := r.Field(v, key)
			e.Entry(key, x)
		}
	default:
		r.Each(v, e)
	}
	const few = 12
	if len(e.Keys) > few {
		sort.Sort(e)
		return
	}
	for i := range e.Keys {
		for k := i; k > 0 && e.Keys[k] < e.Keys[k-1]; k-- {
			e.Swap(k, k-1)
		}
	}
}

// fillTyped reads a map of Go, whose values are copied to where they can stay.
func (e *Entries) fillTyped(r *Reader, t *Type, at unsafe.Pointer) {
	n := t.value(at).Len()
	if !e.room.IsValid() || e.room.Type().Elem() != t.elem.goType || e.room.Cap() < n {
		e.room = reflect.MakeSlice(reflect.SliceOf(t.elem.goType), n, max(n, 4))
	}
	e.room = e.room.Slice(0, n)
	visit := r.visit(t, at)
	defer r.leave(visit)
	for i := 0; i < n && visit.iter.Next(); i++ {
		to := e.room.Index(i)
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

// Find gives the value of a key.
func (e *Entries) Find(key string) (View, bool) {
	const few = 12
	if len(e.Keys) > few {
		i, ok := slices.BinarySearch(e.Keys, key)
		if !ok {
			return View{}, false
		}
		return e.Values[i], true
	}
	for i, k := range e.Keys {
		if k == key {
			return e.Values[i], true
		}
	}
	return View{}, false
}
