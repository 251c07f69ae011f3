package view

import (
	"encoding/base64"
	"reflect"
	"unsafe"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// view returns the View of the value of the type at an address.
func (t *Type) view(at unsafe.Pointer) View {
	switch t.form {
	case aPointer:
		if isNil(at) {
			return View{mode: typed}
		}
		return t.elem.view(*(*unsafe.Pointer)(at))
	case anInterface:
		if isNil(at) {
			return View{mode: typed}
		}
		return t.in.held(t.value(at).Elem())
	case anIntOrString:
		return t.intOrString(at)
	case converted:
		return t.convert(at)
	}
	return View{kind: t.kindOf(at), mode: typed, raw: t, at: at}
}

// kindOf returns the kind of the value of the type at an address. Values without a counterpart in JSON,
// for which value.NewValueReflect panics, are Opaque.
func (t *Type) kindOf(at unsafe.Pointer) Kind {
	switch t.form {
	case aStruct:
		return Map
	case aText, aQuantity:
		return String
	case anInt, aUint:
		return Int
	case aBool:
		return Bool
	case aFloat:
		return Float
	case aList:
		return orNull(List, at)
	case aMap:
		return orNull(Map, at)
	case someBytes:
		return orNull(String, at)
	case aPointer:
		if isNil(at) {
			return Null
		}
		return t.elem.kindOf(*(*unsafe.Pointer)(at))
	case aTime:
		if (*metav1.Time)(at).IsZero() {
			return Null
		}
		return String
	case unsupported:
		if t.unset(at) {
			return Null
		}
		return Opaque
	}
	return t.view(at).kind
}

// held returns the View of the value that a pointer or an interface holds.
func (t *Types) held(rv reflect.Value) View {
	return t.typeOf(typeKey{rv.Type(), true}).view(pointerTo(rv))
}

func orNull(kind Kind, at unsafe.Pointer) Kind {
	if isNil(at) {
		return Null
	}
	return kind
}

// unset reports whether a value without a counterpart in JSON is nil.
func (t *Type) unset(at unsafe.Pointer) bool {
	switch t.kind {
	case reflect.Chan, reflect.Func, reflect.Pointer, reflect.UnsafePointer, reflect.Interface:
		return isNil(at)
	}
	return false
}

// convert returns the View of what a value converts itself to.
func (t *Type) convert(at unsafe.Pointer) View {
	x, err := t.entry.ToUnstructured(t.value(at))
	if err != nil {
		return View{kind: Opaque, mode: typed, raw: t, at: at}
	}
	made := reflect.ValueOf(x)
	if x == nil || made.Kind() == reflect.Pointer && made.IsNil() {
		return View{mode: typed}
	}
	if made.Kind() == reflect.Pointer {
		made = made.Elem()
	}
	return t.in.held(made)
}

// str returns the text of a View of kind String.
func (t *Type) str(at unsafe.Pointer) string {
	switch t.form {
	case someBytes:
		return base64.StdEncoding.EncodeToString(*(*[]byte)(at))
	case aQuantity:
		q := *(*resource.Quantity)(at) // which keeps its text
		return q.String()
	case aTime:
		text, _ := (*metav1.Time)(at).ToUnstructured().(string)
		return text
	}
	return textAt(at)
}

// Struct returns the Go type of a struct. It is false if v is not a struct.
func (v View) Struct() (*Type, bool) {
	t, ok := v.raw.(*Type)
	return t, ok && v.mode == typed && t.form == aStruct
}

// FieldAt returns a field of a struct by its number. It is false if JSON leaves the field out.
func (v View) FieldAt(i int) (View, bool) {
	t := v.raw.(*Type)
	f := &t.fields[i]
	at, ok := f.find(t, v.at)
	if !ok {
		return View{}, false
	}
	return f.typ.view(at), true
}

// ItemAt returns an item of a Go slice.
func (v View) ItemAt(i int) View {
	t := v.raw.(*Type)
	return t.elem.view(t.item(v.at, i))
}

// length returns the number of entries or items.
func (v View) length() int {
	t, _ := v.raw.(*Type)
	switch {
	case v.kind == List:
		return (*slice)(v.at).len
	case v.kind != Map:
		return 0
	case t.form != aStruct:
		return mapLen(v.at)
	}
	there := 0
	for i := range t.fields {
		if _, ok := t.fields[i].find(t, v.at); ok {
			there++
		}
	}
	return there
}

// emptyStruct reports whether JSON leaves out all fields of a struct.
func (t *Type) emptyStruct(at unsafe.Pointer) bool {
	for i := range t.fields {
		if _, ok := t.fields[i].find(t, at); ok {
			return false
		}
	}
	return true
}

// fieldOfTyped returns the entry of a map.
func (r *Reader) fieldOfTyped(v View, name string) (View, bool) {
	t := v.raw.(*Type)
	if t.form != aStruct {
		return r.entriesOf(t, v.at).get(name)
	}
	if i, ok := t.byName[name]; ok {
		return v.FieldAt(i)
	}
	return View{}, false
}
