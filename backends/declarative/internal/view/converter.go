package view

import (
	"reflect"
	"unsafe"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Quantities, times and int-or-strings convert themselves to JSON, which allocates. Reading them
// without conversion halves the time of an update of a typed Deployment.

// knownConverter returns the form of a type that converts itself but is read without conversion,
// or unsupported.
func knownConverter(t reflect.Type) form {
	switch t {
	case reflect.TypeFor[resource.Quantity]():
		return aQuantity
	case reflect.TypeFor[metav1.Time]():
		return aTime
	case reflect.TypeFor[intstr.IntOrString]():
		return anIntOrString
	}
	return unsupported
}

// intOrString views the field that the type of an int-or-string selects.
func (t *Type) intOrString(at unsafe.Pointer) View {
	x := (*intstr.IntOrString)(at)
	switch x.Type {
	case intstr.Int:
		return t.elem.view(unsafe.Pointer(&x.IntVal))
	case intstr.String:
		return t.text.view(unsafe.Pointer(&x.StrVal))
	}
	return t.convert(at)
}

// sameQuantity reports whether two quantities have the same fields, and so the same text,
// without formatting them.
func (v View) sameQuantity(other View) bool {
	if v.mode != typed || other.mode != typed {
		return false
	}
	a, b := v.raw.(*Type), other.raw.(*Type)
	return a.form == aQuantity && b.form == aQuantity && *(*resource.Quantity)(v.at) == *(*resource.Quantity)(other.at)
}
