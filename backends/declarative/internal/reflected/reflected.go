// Package reflected returns the Go value that structured-merge-diff wrapped with NewValueReflect.
package reflected

import "reflect"

// Wrapper is the type behind NewValueReflect, in one version of
// structured-merge-diff. The type is not exported, but its field Value is.
type Wrapper struct {
	pointer reflect.Type
	field   int // -1 if there is no such field
}

// WrapperOf returns the type of a value that NewValueReflect made.
func WrapperOf(sample any) Wrapper {
	w := Wrapper{pointer: reflect.TypeOf(sample), field: -1}
	if w.pointer == nil || w.pointer.Kind() != reflect.Pointer || w.pointer.Elem().Kind() != reflect.Struct {
		return w
	}
	if f, ok := w.pointer.Elem().FieldByName("Value"); ok && len(f.Index) == 1 && f.IsExported() &&
		f.Type == reflect.TypeFor[reflect.Value]() {
		w.field = f.Index[0]
	}
	return w
}

// GoValue returns the Go value that v wraps. It is false if v has another type.
func (w Wrapper) GoValue(v any) (reflect.Value, bool) {
	if w.field < 0 || reflect.TypeOf(v) != w.pointer {
		return reflect.Value{}, false
	}
	held, ok := reflect.ValueOf(v).Elem().Field(w.field).Addr().Interface().(*reflect.Value)
	if !ok {
		return reflect.Value{}, false
	}
	return *held, true
}
