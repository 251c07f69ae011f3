package view

import (
	"unsafe"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Visitor receives the entries of a map or the items of a list. The View is valid only during the
// call. Returning false stops the visit.
type Visitor interface {
	Entry(key string, v View) bool
	Item(index int, v View) bool
}

// Reader reads the entries and items of a View. It belongs to one goroutine. The zero Reader is ready
// for use. It must Forget an object before the object changes.
type Reader struct {
	key             []byte                     // see Key
	maps            map[unsafe.Pointer]entries // of Go, by address; see entriesOf
	firstDifference []Step                     // see FirstDifference
	last            [4]mapRead                 // the last ones: rules ask for one several times

	// read from maps
	entries    room[Entry]
	texts      room[string]
	quantities room[resource.Quantity]
	written    [4]resource.Quantity // the last different ones, of any object; see writeText
}

// mapRead is a Go map that was read.
type mapRead struct {
	at unsafe.Pointer
	entries
}

// Len returns the number of entries of a map or items of a list, or 0.
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

// Field returns the entry of a map. It is false if there is none, or if v is not a map.
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

// At returns the item of a list. It is false outside of the list, or if v is not a list.
func (r *Reader) At(v View, index int) (View, bool) {
	if v.kind != List || index < 0 || index >= r.Len(v) {
		return View{}, false
	}
	if v.mode == typed {
		return v.ItemAt(index), true
	}
	return OfJSON(v.raw.([]any)[index]).as(v.mode), true
}

// Each passes the entries of a map, in no order, or the items of a list, in order, to a Visitor. The
// Visitor may call it again.
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

// Keys returns the keys of a map, sorted.
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

// Zero reports whether the value is Go's zero: null, false, 0, "", an empty list, an empty map. These
// are the values that x-kubernetes-strip-zero strips (KEP-4153, "Zero-Valued Primitive Fields").
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

// Zero reports whether JSON data is a zero, as Reader.Zero does.
func Zero(x any) bool {
	return new(Reader).Zero(OfJSON(x))
}
