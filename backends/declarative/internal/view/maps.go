package view

import (
	"reflect"
	"strconv"
	"unsafe"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Go maps have texts as keys, or integers, which JSON writes as texts.

// keyText returns a key as JSON writes it.
func keyText(key reflect.Value) string {
	switch {
	case key.CanInt():
		return strconv.FormatInt(key.Int(), 10)
	case key.CanUint():
		return strconv.FormatUint(key.Uint(), 10)
	}
	return key.String()
}

// eachTyped is Each for a Go object.
func (r *Reader) eachTyped(v View, to Visitor) {
	t, _ := v.raw.(*Type)
	switch {
	case v.kind == List:
		for i := range (*slice)(v.at).len {
			if !to.Item(i, v.ItemAt(i)) {
				return
			}
		}
	case v.kind != Map:
	case t.form == aStruct:
		for i := range t.fields {
			if x, ok := v.FieldAt(i); ok && !to.Entry(t.names[i], x) {
				return
			}
		}
	default:
		for _, e := range r.entriesOf(t, v.at) {
			if !to.Entry(e.Key, e.Value) {
				return
			}
		}
	}
}

// readMap reads a Go map. It copies the values, because the addresses of entries may change.
func (r *Reader) readMap(t *Type, at unsafe.Pointer) entries {
	switch elem := t.elem.goType; {
	case t.goType.Key().Kind() != reflect.String:
	case elem.Kind() == reflect.String:
		return readTexts(r, &r.texts, t, at, func(*string) {})
	case elem == reflect.TypeFor[resource.Quantity]():
		return readTexts(r, &r.quantities, t, at, r.writeText)
	}
	var all entries
	key := reflect.New(t.goType.Key()).Elem()
	for iter := t.value(at).MapRange(); iter.Next(); {
		x := reflect.New(t.elem.goType)
		x.Elem().SetIterValue(iter)
		key.SetIterKey(iter)
		all = append(all, Entry{keyText(key), t.elem.view(x.UnsafePointer())})
	}
	return all
}

// readTexts reads the most frequent maps without reflection: labels, annotations and resources. Maps
// have the same layout in memory if their keys and values have. ready is called for the copy of each
// value.
func readTexts[V any](r *Reader, room *room[V], t *Type, at unsafe.Pointer, ready func(*V)) entries {
	m := *(*map[string]V)(at)
	all, copies := r.entries.take(len(m)), room.take(len(m))
	for key, x := range m {
		copies = append(copies, x)
		own := &copies[len(copies)-1]
		ready(own)
		all = append(all, Entry{key, t.elem.view(unsafe.Pointer(own))})
	}
	return all
}

// writeText makes a quantity keep its text. Objects repeat few amounts, and formatting one takes longer
// than comparing it with the last ones. The copies are kept, because the object may change later.
func (r *Reader) writeText(q *resource.Quantity) {
	for i := range r.written {
		if known := &r.written[i]; known.Format != "" && known.Format == q.Format && known.Cmp(*q) == 0 {
			*q = *known
			return
		}
	}
	_ = q.String() // which it keeps
	copy(r.written[1:], r.written[:])
	r.written[0] = q.DeepCopy()
}

// room is memory for small lists, which is reused for the next object.
type room[V any] struct{ used []V }

const (
	// roomItems is the initial size of a room: a few maps.
	roomItems = 32
	// mostKept is the largest size that is kept for the next object.
	mostKept = 1 << 12
)

// take returns an empty list with room for a number of items.
func (r *room[V]) take(size int) []V {
	if len(r.used)+size > cap(r.used) {
		r.used = make([]V, 0, max(roomItems, 2*cap(r.used), size)) // lists that were taken before keep the old memory
	}
	start := len(r.used)
	r.used = r.used[:start+size]
	return r.used[start : start : start+size]
}

// forget releases all lists, and the memory that only a large object needs.
func (r *room[V]) forget() {
	if cap(r.used) > mostKept {
		r.used = nil
	}
	clear(r.used)
	r.used = r.used[:0]
}

// entriesOf returns the entries of a Go map. They are read once for each object: rules look at the same
// maps repeatedly, and would take 1.3 times as long on typed Deployments.
func (r *Reader) entriesOf(t *Type, at unsafe.Pointer) entries {
	last := &r.last[uintptr(at)/unsafe.Sizeof(at)%uintptr(len(r.last))]
	if last.at == at {
		return last.entries
	}
	all, known := r.maps[at]
	if !known {
		all = r.readMap(t, at)
		all.sort()
		if r.maps == nil {
			r.maps = map[unsafe.Pointer]entries{}
		}
		r.maps[at] = all
	}
	*last = mapRead{at, all}
	return all
}

// Forget releases the object.
func (r *Reader) Forget() {
	clear(r.maps)
	clear(r.last[:])
	r.entries.forget()
	r.texts.forget()
	r.quantities.forget()
}
