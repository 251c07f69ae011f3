package view

import (
	"maps"
	"slices"
	"unsafe"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Equal compares two values deeply. As in Kubernetes' comparison of unstructured
// objects an integer never equals a float, even where both are written 1.
func (r *Reader) Equal(a, b View) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case Null:
		return true
	case List:
		return r.equalLists(a, b)
	case Map:
		return r.equalMaps(a, b)
	}
	return EqualScalars(a, b)
}

// EqualScalars compares two values that are neither list nor map.
func EqualScalars(a, b View) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case Null:
		return true
	case Bool:
		return a.Bool() == b.Bool()
	case Int:
		return a.Int() == b.Int()
	case Float:
		return a.Float() == b.Float()
	case String:
		return a.sameQuantity(b) || a.Str() == b.Str()
	}
	return false
}

func (r *Reader) equalLists(a, b View) bool {
	n := r.Len(a)
	if n != r.Len(b) {
		return false
	}
	for i := range n {
		x, _ := r.At(a, i)
		y, _ := r.At(b, i)
		if !r.Equal(x, y) {
			return false
		}
	}
	return true
}

func (r *Reader) equalMaps(a, b View) bool {
	if r.Len(a) != r.Len(b) {
		return false
	}
	if a.mode == data && b.mode == data {
		other := b.raw.(map[string]any)
		for k, x := range a.raw.(map[string]any) {
			if y, ok := other[k]; !ok || !r.Equal(OfJSON(x), OfJSON(y)) {
				return false
			}
		}
		return true
	}
	if t, ok := a.Struct(); ok && b.mode == typed && b.raw == any(t) {
		return r.equalStructs(t, a, b)
	}
	if x, ok := a.Texts(); ok {
		if y, ok := b.Texts(); ok {
			return maps.Equal(x, y)
		}
	}
	if equal, known := r.EqualMaps(a, b); known {
		return equal
	}
	for _, k := range r.Keys(a) {
		x, _ := r.Field(a, k)
		y, ok := r.Field(b, k)
		if !ok || !r.Equal(x, y) {
			return false
		}
	}
	return true
}

// sameQuantity says that two quantities, and so their texts, which must be made to be
// compared, are the same.
func (v View) sameQuantity(other View) bool {
	if v.mode != typed || other.mode != typed {
		return false
	}
	a, b := v.raw.(*Type), other.raw.(*Type)
	return a.form == aQuantity && b.form == aQuantity && *(*resource.Quantity)(v.at) == *(*resource.Quantity)(other.at)
}

// EqualMaps compares two maps of one Go type whose values are scalars. It is not known
// for others.
func (r *Reader) EqualMaps(a, b View) (equal, known bool) {
	t, ok := a.raw.(*Type)
	if !ok || a.mode != typed || b.mode != typed || b.raw != any(t) || a.kind != Map || b.kind != Map || t.form != aMap || !t.elem.scalar() {
		return false, false
	}
	if *(*unsafe.Pointer)(a.at) == *(*unsafe.Pointer)(b.at) {
		return true, true // it is one map
	}
	if a.length() != b.length() {
		return false, true
	}
	if x, ok := a.Texts(); ok {
		y, _ := b.Texts()
		return maps.Equal(x, y), true
	}
	return r.equalScalarMaps(a, b), true
}

// equalScalarMaps compares two maps of one size and type by their sorted entries, for to
// look up a key in a map by reflection takes memory.
func (r *Reader) equalScalarMaps(a, b View) bool {
	x, y := &r.sides[0], &r.sides[1]
	x.fill(r, a)
	y.fill(r, b)
	equal := slices.Equal(x.Keys, y.Keys)
	for i := 0; equal && i < len(x.Values); i++ {
		equal = EqualScalars(x.Values[i], y.Values[i])
	}
	x.clear()
	y.clear()
	return equal
}

// equalStructs compares two structs of one Go type field by field.
func (r *Reader) equalStructs(t *Type, a, b View) bool {
	for i := range t.fields {
		x, ok := a.FieldAt(i)
		y, okOther := b.FieldAt(i)
		if ok != okOther || ok && !r.Equal(x, y) {
			return false
		}
	}
	return true
}
