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

// mapVisit is a visit of a map. It is used again for the next map at its depth.
type mapVisit struct {
	iter      reflect.MapIter
	key, elem reflect.Value
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

// scalar says that values of the type are looked at where they are and refer to nothing
// there.
func (t *Type) scalar() bool { return t.form == aText || t.form == anInt || t.form == aQuantity }

// visit begins a visit of a map of Go; leave ends it.
func (r *Reader) visit(t *Type, at unsafe.Pointer) *mapVisit {
	if r.depth == len(r.maps) {
		r.maps = append(r.maps, &mapVisit{})
	}
	visit := r.maps[r.depth]
	r.depth++
	visit.iter.Reset(t.value(at))
	if key := t.goType.Key(); !visit.key.IsValid() || visit.key.Type() != key {
		visit.key = reflect.New(key).Elem()
	}
	return visit
}

func (r *Reader) leave(visit *mapVisit) {
	visit.iter.Reset(reflect.Value{})
	visit.key.SetZero()
	if visit.elem.IsValid() {
		visit.elem.SetZero()
	}
	r.depth--
}

// eachOfMap visits a map of Go. Scalars are copied to one place, so that the visit
// allocates nothing for them; other values may refer to where they are.
func (r *Reader) eachOfMap(t *Type, at unsafe.Pointer, to Visitor) {
	visit := r.visit(t, at)
	defer r.leave(visit)
	scalar := t.elem.scalar()
	if scalar && (!visit.elem.IsValid() || visit.elem.Type() != t.elem.goType) {
		visit.elem = reflect.New(t.elem.goType).Elem()
	}
	for visit.iter.Next() {
		visit.key.SetIterKey(&visit.iter)
		x := visit.elem
		if !scalar {
			x = reflect.New(t.elem.goType).Elem()
		}
		x.SetIterValue(&visit.iter)
		if !to.Entry(keyText(visit.key), t.elem.view(x.Addr().UnsafePointer())) {
			return
		}
	}
}
