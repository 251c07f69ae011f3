package view

import (
	"reflect"
	"unsafe"
)

// A Go value is identified by its Type and its address. Most values are read at their address, because
// reflection analyzes a type each time, which makes typed Pods 6 times as slow. Types holds how a Go
// type is read; reflection reads the rest.

// pointerTo returns the address of a value, or of a copy if it has none.
func pointerTo(rv reflect.Value) unsafe.Pointer {
	if !rv.CanAddr() {
		place := reflect.New(rv.Type()).Elem()
		place.Set(rv)
		rv = place
	}
	return rv.Addr().UnsafePointer()
}

// value returns the value of the type at an address, for reflection.
func (t *Type) value(at unsafe.Pointer) reflect.Value { return reflect.NewAt(t.goType, at).Elem() }

// slice is the layout of a Go slice.
type slice struct {
	first    unsafe.Pointer // nil: the slice is nil
	len, cap int
}

// item returns the address of an item of a list of the type.
func (t *Type) item(at unsafe.Pointer, i int) unsafe.Pointer {
	return unsafe.Add((*slice)(at).first, uintptr(i)*t.elem.size)
}

// isNil reports whether a pointer, slice or map is nil. All of them begin with a pointer.
func isNil(at unsafe.Pointer) bool { return *(*unsafe.Pointer)(at) == nil }

func textAt(at unsafe.Pointer) string { return *(*string)(at) }

// number reads an integer.
func (t *Type) number(at unsafe.Pointer) int64 {
	switch t.kind {
	case reflect.Int64:
		return *(*int64)(at)
	case reflect.Int32:
		return int64(*(*int32)(at))
	case reflect.Int:
		return int64(*(*int)(at))
	}
	if i := t.value(at); i.CanInt() {
		return i.Int()
	}
	return int64(t.value(at).Uint())
}

func (t *Type) float(at unsafe.Pointer) float64 {
	if t.kind == reflect.Float32 {
		return float64(*(*float32)(at))
	}
	return *(*float64)(at)
}

// mapLen returns the number of entries of a map. All maps keep it at the same offset.
func mapLen(at unsafe.Pointer) int { return len(*(*map[string]struct{})(at)) }

// empty reports whether omitempty leaves out the field at an address.
func (t *Type) empty(at unsafe.Pointer) bool {
	switch t.kind {
	case reflect.String:
		return len(*(*string)(at)) == 0
	case reflect.Pointer, reflect.Interface: // the type that an interface holds comes first
		return isNil(at)
	case reflect.Slice:
		return (*slice)(at).len == 0
	case reflect.Map:
		return mapLen(at) == 0
	case reflect.Bool:
		return !*(*bool)(at)
	case reflect.Array:
		return t.goType.Len() == 0
	case reflect.Float32, reflect.Float64:
		return t.float(at) == 0
	}
	return reflect.Int <= t.kind && t.kind <= reflect.Uintptr && t.number(at) == 0
}

// find returns the address of a field of a struct. It is false if JSON leaves the field out.
func (f *structField) find(in *Type, at unsafe.Pointer) (unsafe.Pointer, bool) {
	if f.slow != nil {
		rv := f.slow.GetFrom(in.value(at))
		return pointerTo(rv), !f.slow.CanOmit(rv)
	}
	at = unsafe.Add(at, f.offset)
	switch f.omits {
	case never:
		return at, true
	case whenNil:
		return at, !isNil(at)
	case whenNoText:
		return at, len(textAt(at)) != 0
	case whenNoItems:
		return at, (*slice)(at).len != 0
	}
	return at, !f.typ.empty(at)
}
