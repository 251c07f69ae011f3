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

// key is the key of a map of the type that is a text in JSON. It is false when no key is.
func (t *Type) key(text string) (reflect.Value, bool) {
	of := t.goType.Key()
	key := reflect.New(of).Elem()
	switch {
	case of.Kind() == reflect.String:
		key.SetString(text)
	case key.CanInt():
		n, err := strconv.ParseInt(text, 10, of.Bits())
		if key.SetInt(n); err != nil {
			return key, false
		}
	case key.CanUint():
		n, err := strconv.ParseUint(text, 10, of.Bits())
		if key.SetUint(n); err != nil {
			return key, false
		}
	default:
		return key, false
	}
	return key, keyText(key) == text
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
		r.eachOfMap(t, v.at, to)
	}
}

// eachOfMap visits a map of Go. Each value is copied to a place of its own, where it can stay.
func (r *Reader) eachOfMap(t *Type, at unsafe.Pointer, to Visitor) {
	for iter := t.value(at).MapRange(); iter.Next(); {
		x := reflect.New(t.elem.goType).Elem()
		x.SetIterValue(iter)
		if !to.Entry(keyText(iter.Key()), t.elem.view(x.Addr().UnsafePointer())) {
			return
		}
	}
}
