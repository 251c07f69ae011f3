package view

import (
	"unsafe"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Visitor is told about the entries of a map and the items of a list. The View
// is valid only during the call. Returning false stops the visit.
type Visitor interface {
	Entry(key string, v View) bool
	Item(index int, v View) bool
}

// Reader reads what is inside of a View. It belongs to one goroutine. The zero Reader is ready
// for use. It must Forget an object before that changes.
type Reader struct {
	key             []byte                     // see Key
	maps            map[unsafe.Pointer]entries // of Go, by their places; see entriesOf
	firstDifference []Step                     // see FirstDifference
	last            [4]mapRead                 // some that were asked for last: rules ask for one several times

	// what was read out of maps
	entries    room[Entry]
	texts      room[string]
	quantities room[resource.Quantity]
	written    [4]resource.Quantity // the last ones with another text, of any object; see writeText
}

// mapRead is a map of Go that was read.
type mapRead struct {
	at unsafe.Pointer
	entries
}

// Len is the number of entries of a map or items of a list, else 0.
func (r *Reader) Len(v View) int {
	switch {
	case v.mode == typed:
		return v.length()
	case v.kind == Map:
		return len(v.raw.(map[string]any))
	case v.kind == List:
		return len(v.raw.([]any))
	}
	return 0
}

// Field gives the entry of a map. It is false when there is none, or when v is
// not a map.
func (r *Reader) Field(v View, name string) (View, bool) {
	if v.kind != Map {
		return View{}, false
	}
	if v.mode == typed {
		return r.fieldOfTyped(v, name)
	}
	x, ok := v.raw.(map[string]any)[name]
	if !ok {
		return View{}, false
	}
	return OfJSON(x).as(v.mode), true
}

// At gives the item of a list. It is false outside of the list, or when v is not
// a list.
func (r *Reader) At(v View, index int) (View, bool) {
	if v.kind != List || index < 0 || index >= r.Len(v) {
		return View{}, false
	}
	if v.mode == typed {
		return v.ItemAt(index), true
	}
	return OfJSON(v.raw.([]any)[index]).as(v.mode), true
}

// Each tells to about the entries of a map, in no order, or the items of a list,
// in order. It may be called again from within.
func (r *Reader) Each(v View, to Visitor) {
	switch {
	case v.mode == typed:
		r.eachTyped(v, to)
	case v.kind == Map:
		for k, x := range v.raw.(map[string]any) {
			if !to.Entry(k, OfJSON(x).as(v.mode)) {
				return
			}
		}
	case v.kind == List:
		for i, x := range v.raw.([]any) {
			if !to.Item(i, OfJSON(x).as(v.mode)) {
				return
			}
		}
	}
}

// Keys gives the keys of a map, sorted.
func (r *Reader) Keys(v View) []string {
	if v.kind != Map {
		return nil
	}
	names := make([]string, 0, r.Len(v))
	for _, e := range r.Entries(v) {
		names = append(names, e.Key)
	}
	return names
}

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
	return new(Reader).Zero(OfJSON(x))
}
