package view

import (
	"reflect"
	"unsafe"

	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// Kind is what a value is in terms of JSON.
type Kind uint8

// All kinds. Opaque is a Go value that JSON has no counterpart for (a channel, a
// uint64, a json.Number): no schema accepts it.
const (
	Null Kind = iota
	Bool
	Int
	Float
	String
	List
	Map
	Opaque

	// Kinds is the number of kinds, for tables that are indexed by kind.
	Kinds
)

// unstructured is the type behind value.NewValueInterface, which
// structured-merge-diff does not export.
var unstructured = reflect.TypeOf(value.NewValueInterface(nil))

// View is one value of an object. The zero View is null. A View of a typed
// object is valid as long as the value.Value that it was made of.
type View struct {
	kind Kind
	mode mode
	raw  any            // typed: its *Type; else the JSON data
	at   unsafe.Pointer // typed: where the Go value is
}

// mode is what a View is of.
type mode uint8

const (
	data  mode = iota // JSON data
	typed             // part of a Go object whose type is known
	read              // JSON data that was read out of any other value.Value
)

// Of gives the View of v. A nil v is null.
func Of(v value.Value) View {
	if v == nil {
		return View{}
	}
	if reflect.TypeOf(v) == unstructured {
		return OfJSON(v.Unstructured())
	}
	return OfJSON(v.Unstructured()).as(read)
}

// as is a View of JSON data in a mode.
func (v View) as(m mode) View {
	v.mode = m
	return v
}

// OfJSON gives the View of JSON data as the Kubernetes decoders make it
// (map[string]any, []any, string, bool, int64, float64, nil). The other integer
// and float types of Go are taken as well, except uint64.
func OfJSON(x any) View {
	switch m := x.(type) {
	case nil:
		return View{}
	case map[string]any:
		return View{kind: Map, raw: x}
	case []any:
		return View{kind: List, raw: x}
	case string:
		return View{kind: String, raw: x}
	case bool:
		return View{kind: Bool, raw: x}
	case int64, int, int32, int16, int8, uint32, uint16, uint8:
		return View{kind: Int, raw: x}
	case float64, float32:
		return View{kind: Float, raw: x}
	case map[any]any:
		named := make(map[string]any, len(m))
		for key, entry := range m {
			if name, ok := key.(string); ok {
				named[name] = entry
			}
		}
		return View{kind: Map, raw: named}
	}
	return View{kind: Opaque, raw: x}
}

// Kind is what the value is.
func (v View) Kind() Kind { return v.kind }

// Typed says that the value is not JSON data but part of a typed Go object,
// where null is only Go's way to leave a slice, map or pointer unset.
func (v View) Typed() bool { return v.mode != data }

// Entries gives the entries of a map of JSON data, which must not be changed.
func (v View) Entries() (map[string]any, bool) {
	m, ok := v.raw.(map[string]any)
	return m, ok && v.mode == data
}

// Items gives the items of a list of JSON data, which must not be changed.
func (v View) Items() ([]any, bool) {
	l, ok := v.raw.([]any)
	return l, ok && v.mode == data
}

// Bool is the value of a View of kind Bool, else false.
func (v View) Bool() bool {
	if v.kind != Bool {
		return false
	}
	if v.mode == typed {
		return *(*bool)(v.at)
	}
	return v.raw.(bool)
}

// Str is the value of a View of kind String, else "".
func (v View) Str() string {
	if v.kind != String {
		return ""
	}
	if v.mode == typed {
		return v.raw.(*Type).str(v.at)
	}
	return v.raw.(string)
}

// Int is the value of a View of kind Int, else 0.
func (v View) Int() int64 {
	if v.kind != Int {
		return 0
	}
	if v.mode == typed {
		return v.raw.(*Type).number(v.at)
	}
	if i, ok := v.raw.(int64); ok {
		return i
	}
	if i := reflect.ValueOf(v.raw); i.CanInt() {
		return i.Int()
	}
	return int64(reflect.ValueOf(v.raw).Uint())
}

// Float is the value of a View of kind Float or Int, else 0.
func (v View) Float() float64 {
	switch {
	case v.kind == Int:
		return float64(v.Int())
	case v.kind != Float:
		return 0
	case v.mode == typed:
		return v.raw.(*Type).float(v.at)
	}
	return reflect.ValueOf(v.raw).Float()
}

// JSON gives the value as JSON data. On a typed object it makes a copy of all
// below, so it is for error values and not for validation.
func (v View) JSON() any {
	if v.mode == typed {
		return v.unstructured()
	}
	return v.raw
}

// Set gives the value as JSON data without the nulls of typed objects, where nothing was set.
func (v View) Set() any {
	if !v.Typed() {
		return v.JSON()
	}
	return withoutNulls(v.JSON())
}

func withoutNulls(x any) any {
	switch x := x.(type) {
	case map[string]any:
		set := make(map[string]any, len(x))
		for key, entry := range x {
			if entry != nil {
				set[key] = withoutNulls(entry)
			}
		}
		return set
	case []any:
		items := make([]any, len(x))
		for i, item := range x {
			items[i] = withoutNulls(item)
		}
		return items
	}
	return x
}

// unstructured makes JSON data of a typed view.
func (v View) unstructured() any {
	switch v.kind {
	case Bool:
		return v.Bool()
	case Int:
		return v.Int()
	case Float:
		return v.Float()
	case String:
		return v.Str()
	case List:
		items := make([]any, 0, v.length())
		for i := range v.length() {
			items = append(items, v.ItemAt(i).JSON())
		}
		return items
	case Map:
		entries := map[string]any{}
		for _, e := range new(Reader).Entries(v) {
			entries[e.Key] = e.Value.JSON()
		}
		return entries
	}
	return nil
}
