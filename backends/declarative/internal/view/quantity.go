package view

import (
	"reflect"
	"unsafe"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Quantity gives the quantity that the text of v stands for, without making the text, if
// v is one of a Go object and parsing its text would surely give the same: quantities that
// are large or very precise are kept in another form when they are parsed, which has other
// answers to some questions (resource.Quantity.AsInt64). It must not be changed, which also
// comparing does: copy it first.
func (v View) Quantity() (*resource.Quantity, bool) {
	t, ok := v.raw.(*Type)
	if !ok || v.mode != typed || t.form != aQuantity || !quantityParts.known {
		return nil, false
	}
	value := *(*int64)(unsafe.Add(v.at, quantityParts.value))
	scale := *(*int32)(unsafe.Add(v.at, quantityParts.scale))
	// Text of a quantity has at most 15 digits then, with those of the factor if that is a
	// power of two (see resource.ParseQuantity).
	const large = 1_000_000_000_000
	if value <= -large || value >= large || scale > 0 || scale < int32(resource.Nano) {
		return nil, false
	}
	// A whole number in parts is said to be no integer until it is parsed.
	if scale < 0 && value%units[-scale] == 0 {
		return nil, false
	}
	if !isNil(unsafe.Add(v.at, quantityParts.decimal)) {
		return nil, false
	}
	return (*resource.Quantity)(v.at), true
}

// LongestQuantity is at least the length of the text of what Quantity gives.
const LongestQuantity = 32

// units are powers of ten.
var units = [-resource.Nano + 1]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}

// quantityParts are where a resource.Quantity keeps what it is, which it does not export.
var quantityParts = func() (p struct {
	known                 bool
	value, scale, decimal uintptr
}) {
	quantity := reflect.TypeFor[resource.Quantity]()
	amount, ok := quantity.FieldByName("i")
	if !ok || len(amount.Index) != 1 || amount.Type.Kind() != reflect.Struct {
		return p
	}
	decimal, ok := quantity.FieldByName("d")
	if !ok || len(decimal.Index) != 1 || decimal.Type.Kind() != reflect.Struct || decimal.Type.NumField() != 1 || decimal.Type.Field(0).Type.Kind() != reflect.Pointer {
		return p
	}
	value, ok := amount.Type.FieldByName("value")
	scale, also := amount.Type.FieldByName("scale")
	if !ok || !also || value.Type.Kind() != reflect.Int64 || scale.Type.Kind() != reflect.Int32 {
		return p
	}
	p.known, p.decimal = true, decimal.Offset
	p.value, p.scale = amount.Offset+value.Offset, amount.Offset+scale.Offset
	return p
}()
