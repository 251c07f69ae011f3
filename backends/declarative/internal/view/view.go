package view

import (
	"reflect"
	"unsafe"

	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// Kind is the kind of a value in terms of JSON.
type Kind uint8

// All kinds. Opaque is a Go value without a counterpart in JSON (a channel, a uint64, a json.Number),
// which no schema accepts.
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
// object is valid as long as the value.Value it was made from.
type View struct {
	kind Kind
	mode mode
	raw  any            // typed: its *Type; else the JSON data
	at   unsafe.Pointer // typed: the address of the Go value
}

// mode is the source of a View.
type mode uint8

const (
	data  mode = iota // JSON data
	typed             // part of a Go object whose type is known
	read              // JSON data that was read from any other value.Value
)

// Of returns the View of v. A nil v is null.
func Of(v value.Value) View {
	if v == nil {
		return View{}
	}
	if reflect.TypeOf(v) == unstructured {
		return OfJSON(v.Unstructured())
	}
	return OfJSON(v.Unstructured()).as(read)
}

// as returns a View of JSON data in a mode.
func (v View) as(m mode) View {
	v.mode = m
	return v
}

// OfJSON returns the View of JSON data as the Kubernetes decoders make it (map[string]any, []any,
// string, bool, int64, float64, nil). It also accepts the other integer and float types of Go, except
// uint64.
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

// Kind returns the kind of the value.
func (v View) Kind() Kind { return v.kind }

// Typed reports whether the value is part of a typed Go object rather than JSON data. There, null only
// means that a slice, map or pointer is not set.
func (v View) Typed() bool { return v.mode != data }

// Entries returns the entries of a map of JSON data, which must not be changed.
func (v View) Entries() (map[string]any, bool) {
	m, ok := v.raw.(map[string]any)
	return m, ok && v.mode == data
}

// Items returns the items of a list of JSON data, which must not be changed.
func (v View) Items() ([]any, bool) {
	l, ok := v.raw.([]any)
	return l, ok && v.mode == data
}

// Bool returns the value of a View of kind Bool, or false.
func (v View) Bool() bool {
	if v.kind != Bool {
		return false
	}
	if v.mode == typed {
		return *(*bool)(v.at)
	}
	return v.raw.(bool)
}

// Str returns the value of a View of kind String, or "".
func (v View) Str() string {
	if v.kind != String {
		return ""
	}
	if v.mode == typed {
		return v.raw.(*Type).str(v.at)
	}
	return v.raw.(string)
}

// Int returns the value of a View of kind Int, or 0.
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

// Float returns the value of a View of kind Float or Int, or 0.
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

// JSON returns the value as JSON data. It copies a typed object, so it is meant for the values of
// errors, not for validation.
func (v View) JSON() any {
	if v.mode == typed {
		return v.unstructured()
	}
	return v.raw
}

// Set returns the value as JSON data without the nulls of typed objects, which mean that nothing was set.
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

// unstructured returns a typed View as JSON data.
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
