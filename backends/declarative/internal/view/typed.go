package view

import (
	"encoding/base64"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// view sees a value of the type. Like value.NewValueReflect it panics on what JSON has
// no counterpart for.
func (t *Type) view(rv reflect.Value) View {
	kind := Opaque
	switch t.form {
	case aStruct:
		kind = Map
	case aText, aQuantity:
		kind = String
	case anInt, aUint:
		kind = Int
	case aBool:
		kind = Bool
	case aFloat:
		kind = Float
	case aList:
		kind = orNull(List, rv)
	case aMap:
		kind = orNull(Map, rv)
	case someBytes:
		kind = orNull(String, rv)
	case aPointer:
		if rv.IsNil() {
			return View{mode: typed}
		}
		return t.elem.view(rv.Elem())
	case anInterface:
		if rv.IsNil() {
			return View{mode: typed}
		}
		return t.in.held(rv.Elem())
	case aTime:
		kind = String
		if at := timeOf(rv); at.IsZero() {
			kind = Null
		}
	case anIntOrString:
		return t.intOrString(rv)
	case converted:
		return t.convert(rv)
	case unsupported:
		if kind = Null; !isNil(rv) {
			panic(fmt.Sprintf("unsupported type: %v", rv.Type()))
		}
	}
	return View{kind: kind, mode: typed, raw: t, rv: rv}
}

// held sees what a pointer or an interface holds.
func (t *Types) held(rv reflect.Value) View { return t.typeOf(typeKey{rv.Type(), true}).view(rv) }

func orNull(kind Kind, rv reflect.Value) Kind {
	if rv.IsNil() {
		return Null
	}
	return kind
}

func isNil(rv reflect.Value) bool {
	switch rv.Kind() {
	case reflect.Chan, reflect.Func, reflect.Pointer, reflect.UnsafePointer, reflect.Interface:
		return rv.IsNil()
	}
	return false
}

// intOrString sees the one of the two fields that counts.
func (t *Type) intOrString(rv reflect.Value) View {
	which := intstr.Type(rv.FieldByIndex(intOrStringFields.which).Int())
	switch which {
	case intstr.Int:
		return t.elem.view(rv.FieldByIndex(intOrStringFields.number))
	case intstr.String:
		return t.in.held(rv.FieldByIndex(intOrStringFields.text))
	}
	return t.convert(rv)
}

// intOrStringFields are where an IntOrString has its fields.
var intOrStringFields = func() (f struct{ which, number, text []int }) {
	index := func(name string) []int {
		field, _ := reflect.TypeFor[intstr.IntOrString]().FieldByName(name)
		return field.Index
	}
	f.which, f.number, f.text = index("Type"), index("IntVal"), index("StrVal")
	return f
}()

// convert sees what a value converts itself to.
func (t *Type) convert(rv reflect.Value) View {
	x, err := t.entry.ToUnstructured(rv)
	if err != nil {
		panic(err)
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

func quantityOf(rv reflect.Value) resource.Quantity {
	if rv.CanAddr() {
		return *rv.Addr().Interface().(*resource.Quantity)
	}
	return rv.Interface().(resource.Quantity)
}

func timeOf(rv reflect.Value) metav1.Time {
	if rv.CanAddr() {
		return *rv.Addr().Interface().(*metav1.Time)
	}
	return rv.Interface().(metav1.Time)
}

// text is the text of a view of kind String.
func (t *Type) text(rv reflect.Value) string {
	switch t.form {
	case someBytes:
		return base64.StdEncoding.EncodeToString(rv.Bytes())
	case aQuantity:
		q := quantityOf(rv)
		return q.String()
	case aTime:
		text, _ := timeOf(rv).ToUnstructured().(string)
		return text
	}
	return rv.String()
}

func (t *Type) number(rv reflect.Value) int64 {
	if t.form == aUint {
		return int64(rv.Uint())
	}
	return rv.Int()
}

// get gives the value of a field of a struct. It is false when JSON leaves it out.
func (f *structField) get(rv reflect.Value) (reflect.Value, bool) {
	if f.slow != nil {
		at := f.slow.GetFrom(rv)
		return at, !f.slow.CanOmit(at)
	}
	at := rv.Field(f.index)
	for _, i := range f.path {
		at = at.Field(i)
	}
	return at, !f.omitEmpty || !empty(at)
}

// empty says that omitempty leaves a value out.
func empty(rv reflect.Value) bool {
	switch rv.Kind() {
	case reflect.String, reflect.Slice, reflect.Map, reflect.Array:
		return rv.Len() == 0
	case reflect.Pointer, reflect.Interface:
		return rv.IsNil()
	case reflect.Bool:
		return !rv.Bool()
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int16, reflect.Int8:
		return rv.Int() == 0
	case reflect.Uint, reflect.Uint64, reflect.Uint32, reflect.Uint16, reflect.Uint8, reflect.Uintptr:
		return rv.Uint() == 0
	case reflect.Float64, reflect.Float32:
		return rv.Float() == 0
	}
	return false
}

// Struct is the Go type of a struct, whose fields Field finds by number.
func (v View) Struct() (*Type, bool) {
	t, ok := v.raw.(*Type)
	return t, ok && v.mode == typed && t.form == aStruct
}

// Fields is the number of fields of a struct.
func (t *Type) Fields() int { return len(t.fields) }

// FieldName is the name of a field in JSON. Fields are in the order of their names.
func (t *Type) FieldName(i int) string { return t.names.Name(i) }

// FieldNumber is the number of a field with a name, or -1.
func (t *Type) FieldNumber(name string) int { return t.names.Find(name) }

// FieldKind is the kind that a field of a struct has whenever JSON does not leave it
// out. It is false for a field that can have several, and for structs, lists and maps.
func (t *Type) FieldKind(i int) (Kind, bool) {
	f := &t.fields[i]
	of := f.typ
	if of.form == aPointer && f.omitEmpty {
		of = of.elem
	}
	switch of.form {
	case aText, aQuantity:
		return String, true
	case anInt, aUint:
		return Int, true
	case aBool:
		return Bool, true
	case aFloat:
		return Float, true
	}
	return Null, false
}

// FieldAt gives a field of a struct by its number. It is false when JSON leaves the
// field out.
func (v View) FieldAt(i int) (View, bool) {
	f := &v.raw.(*Type).fields[i]
	at, ok := f.get(v.rv)
	if !ok {
		return View{}, false
	}
	return f.typ.view(at), true
}

// Slice is the number of items of a list that is a slice of Go, whose items ItemAt
// gives.
func (v View) Slice() (size int, ok bool) {
	if v.mode != typed || v.kind != List {
		return 0, false
	}
	return v.rv.Len(), true
}

// ItemAt gives an item of a slice of Go.
func (v View) ItemAt(i int) View { return v.raw.(*Type).elem.view(v.rv.Index(i)) }

// Texts gives a map of texts as it is in a Go object. It must not be changed.
func (v View) Texts() (map[string]string, bool) {
	if v.mode != typed || v.kind != Map || v.rv.Type() != texts {
		return nil, false
	}
	m, ok := v.rv.Interface().(map[string]string)
	return m, ok
}

var texts = reflect.TypeFor[map[string]string]()

// size is the number of entries or items.
func (v View) size() int {
	if v.kind != Map && v.kind != List {
		return 0
	}
	if t, ok := v.Struct(); ok {
		there := 0
		for i := range t.fields {
			if _, ok := t.fields[i].get(v.rv); ok {
				there++
			}
		}
		return there
	}
	return v.rv.Len()
}

// emptyStruct says that JSON leaves out all fields of a struct.
func (t *Type) emptyStruct(rv reflect.Value) bool {
	for i := range t.fields {
		if _, ok := t.fields[i].get(rv); ok {
			return false
		}
	}
	return true
}

// field gives the entry of a map.
func (v View) field(name string) (View, bool) {
	t := v.raw.(*Type)
	if t.form == aStruct {
		if i := t.names.Find(name); i >= 0 {
			return v.FieldAt(i)
		}
		return View{}, false
	}
	x := v.rv.MapIndex(reflect.ValueOf(name).Convert(t.goType.Key()))
	if !x.IsValid() {
		return View{}, false
	}
	return t.elem.view(x), true
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
		for i := range v.rv.Len() {
			if !to.Item(i, t.elem.view(v.rv.Index(i))) {
				return
			}
		}
	case v.kind != Map:
	case t.form == aStruct:
		for i := range t.fields {
			if x, ok := v.FieldAt(i); ok && !to.Entry(t.names.Name(i), x) {
				return
			}
		}
	default:
		r.eachOfMap(t, v.rv, to)
	}
}

// scalar says that values of the type are looked at where they are and refer to nothing
// there.
func (t *Type) scalar() bool { return t.form == aText || t.form == anInt || t.form == aQuantity }

// visit begins a visit of a map of Go; leave ends it.
func (r *Reader) visit(t *Type, rv reflect.Value) *mapVisit {
	if r.depth == len(r.maps) {
		r.maps = append(r.maps, &mapVisit{})
	}
	visit := r.maps[r.depth]
	r.depth++
	visit.iter.Reset(rv)
	if key := t.goType.Key(); !visit.key.IsValid() || visit.key.Type() != key {
		visit.key = reflect.New(key).Elem()
	}
	return visit
}

func (r *Reader) leave(visit *mapVisit) {
	visit.iter.Reset(reflect.Value{})
	r.depth--
}

// eachOfMap visits a map of Go. Scalars are copied to one place, so that the visit
// allocates nothing for them; other values may refer to where they are.
func (r *Reader) eachOfMap(t *Type, rv reflect.Value, to Visitor) {
	visit := r.visit(t, rv)
	defer r.leave(visit)
	scalar := t.elem.scalar()
	if scalar && (!visit.elem.IsValid() || visit.elem.Type() != t.elem.goType) {
		visit.elem = reflect.New(t.elem.goType).Elem()
	}
	for visit.iter.Next() {
		visit.key.SetIterKey(&visit.iter)
		var x reflect.Value
		if scalar {
			x = visit.elem
			x.SetIterValue(&visit.iter)
		} else {
			x = visit.iter.Value()
		}
		if !to.Entry(visit.key.String(), t.elem.view(x)) {
			return
		}
	}
}
