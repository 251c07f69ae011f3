package view

import (
	"reflect"
	"strconv"
	"unsafe"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Maps of Go. Their keys are texts, or integers, which JSON writes as texts.

// keyText is a key as it is in JSON.
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

// readMap reads a map of Go. Values are copied to places of their own, where they can stay.
func (t *Type) readMap(at unsafe.Pointer) entries {
	switch elem := t.elem.goType; {
	case t.goType.Key().Kind() != reflect.String:
	case elem.Kind() == reflect.String:
		return readTexts(t, at, func(*string) {})
	case elem == reflect.TypeFor[resource.Quantity]():
		return readTexts(t, at, func(q *resource.Quantity) { _ = q.String() }) // which it keeps
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

// readTexts reads the maps that objects mostly have, without reflection: labels, annotations and
// resources. Maps look the same in memory if their keys and values do. ready is called for the copy
// of each value.
func readTexts[V any](t *Type, at unsafe.Pointer, ready func(*V)) entries {
	m := *(*map[string]V)(at)
	all, copies := make(entries, 0, len(m)), make([]V, 0, len(m))
	for key, x := range m {
		copies = append(copies, x)
		own := &copies[len(copies)-1]
		ready(own)
		all = append(all, Entry{key, t.elem.view(unsafe.Pointer(own))})
	}
	return all
}

// entriesOf gives the entries of a map of Go. They are read once for each object: rules look at the
// same maps again and again, and take 1.3 times as long on typed Deployments without.
func (r *Reader) entriesOf(t *Type, at unsafe.Pointer) entries {
	last := &r.last[uintptr(at)/unsafe.Sizeof(at)%uintptr(len(r.last))]
	if last.at == at {
		return last.entries
	}
	all, known := r.maps[at]
	if !known {
		all = t.readMap(at)
		all.sort()
		if r.maps == nil {
			r.maps = map[unsafe.Pointer]entries{}
		}
		r.maps[at] = all
	}
	*last = mapRead{at, all}
	return all
}

// Forget releases the object that was read.
func (r *Reader) Forget() {
	clear(r.maps)
	clear(r.last[:])
}
