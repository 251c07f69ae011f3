package view

import (
	"reflect"
	"strconv"
	"unsafe"
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
		t.eachOfMap(v.at, to)
	}
}

// eachOfMap visits a map of Go. Each value is copied to a place of its own, where it can stay.
func (t *Type) eachOfMap(at unsafe.Pointer, to Visitor) {
	key := reflect.New(t.goType.Key()).Elem()
	for iter := t.value(at).MapRange(); iter.Next(); {
		x := reflect.New(t.elem.goType)
		x.Elem().SetIterValue(iter)
		key.SetIterKey(iter)
		if !to.Entry(keyText(key), t.elem.view(x.UnsafePointer())) {
			return
		}
	}
}

// entriesOf gives the entries of a map of Go. They are read once for each object: rules look at the
// same maps again and again, and take 1.3 times as long on typed Deployments without.
func (r *Reader) entriesOf(t *Type, at unsafe.Pointer) entries {
	all, known := r.maps[at]
	if !known {
		all = make(entries, 0, t.value(at).Len())
		t.eachOfMap(at, &all)
		all.sort()
		if r.maps == nil {
			r.maps = map[unsafe.Pointer]entries{}
		}
		r.maps[at] = all
	}
	return all
}

// Forget releases the object that was read.
func (r *Reader) Forget() { clear(r.maps) }
