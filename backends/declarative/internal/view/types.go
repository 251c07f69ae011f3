package view

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative/internal/reflected"
)

// Types knows how values of Go types look as JSON: which fields a struct has, which types convert
// themselves. It analyzes each type once, so typed objects are read without a value.Value for each
// part. The result is what value.NewValueReflect shows. Types is safe for use by many goroutines; the
// zero Types is ready for use.
type Types struct {
	known sync.Map // of typeKey to *Type
	lock  sync.Mutex
}

// typeKey is a Go type. held is true for a value that a pointer or an interface holds, which is not
// converted and not followed again.
type typeKey struct {
	of   reflect.Type
	held bool
}

// Type describes how values of one Go type look as JSON.
type Type struct {
	in     *Types
	goType reflect.Type
	kind   reflect.Kind // of goType
	size   uintptr      // in bytes
	form   form
	elem   *Type                        // of a pointer, list or map; of an int-or-string, the integer
	text   *Type                        // of an int-or-string
	names  []string                     // of the fields, by number
	byName map[string]int               // their numbers
	fields []structField                // of a struct, by number
	entry  *value.TypeReflectCacheEntry // what structured-merge-diff knows
}

// form is how a value is read.
type form uint8

// All forms. unsupported has no counterpart in JSON; if it is nil, it is null.
const (
	unsupported form = iota
	aStruct
	aMap
	aList
	anInt
	aUint
	aFloat
	aText
	someBytes
	aBool
	aPointer
	anInterface
	converted
	aQuantity
	aTime
	anIntOrString
)

// structField is one field of a struct as JSON.
type structField struct {
	typ    *Type
	offset uintptr // in the struct
	omits  omission
	slow   *value.FieldCacheEntry // if structured-merge-diff must be asked
}

// omission is the condition under which JSON leaves out a field.
type omission uint8

const (
	never omission = iota
	whenNil
	whenNoText
	whenNoItems
	whenEmpty // see Type.empty
)

// omitsEmpty returns the omission of a field with omitempty.
func omitsEmpty(kind reflect.Kind) omission {
	switch kind {
	case reflect.Pointer, reflect.Interface:
		return whenNil
	case reflect.String:
		return whenNoText
	case reflect.Slice:
		return whenNoItems
	}
	return whenEmpty
}

// Of returns the View of v like the function Of, but reads typed objects where they are.
func (t *Types) Of(v value.Value) View {
	if rv, ok := wrapper.GoValue(v); ok {
		return t.held(rv)
	}
	return Of(v)
}

// wrapper is the type behind value.NewValueReflect.
var wrapper = func() reflected.Wrapper {
	v, err := value.NewValueReflect(&struct{}{})
	if err != nil {
		return reflected.WrapperOf(nil)
	}
	return reflected.WrapperOf(v)
}()

// typeOf finds or makes a type.
func (t *Types) typeOf(k typeKey) *Type {
	if known, ok := t.known.Load(k); ok {
		return known.(*Type)
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	made := map[typeKey]*Type{}
	typ := t.make(k, made)
	for k, typ := range made {
		t.known.Store(k, typ)
	}
	return typ
}

// make makes a type and the types that it consists of. Types that refer to each other find each other
// in made.
func (t *Types) make(k typeKey, made map[typeKey]*Type) *Type {
	if known, ok := t.known.Load(k); ok {
		return known.(*Type)
	}
	if typ := made[k]; typ != nil {
		return typ
	}
	typ := &Type{in: t, goType: k.of, kind: k.of.Kind(), size: k.of.Size(), form: formOf(k), entry: value.TypeReflectEntryOf(k.of)}
	made[k] = typ
	switch typ.form {
	case aPointer:
		typ.elem = t.make(typeKey{k.of.Elem(), knownConverter(k.of.Elem()) == unsupported}, made)
	case aList, aMap:
		typ.elem = t.make(typeKey{k.of.Elem(), false}, made)
	case anIntOrString:
		typ.elem = t.make(typeKey{reflect.TypeFor[int32](), true}, made)
		typ.text = t.make(typeKey{reflect.TypeFor[string](), true}, made)
	case aStruct:
		t.makeFields(typ, made)
	}
	return typ
}

func formOf(k typeKey) form {
	if !k.held && value.TypeReflectEntryOf(k.of).CanConvertToUnstructured() {
		if known := knownConverter(k.of); known != unsupported {
			return known
		}
		if k.of.Kind() == reflect.Pointer && knownConverter(k.of.Elem()) != unsupported {
			return aPointer
		}
		return converted
	}
	switch k.of.Kind() {
	case reflect.Struct:
		return aStruct
	case reflect.Map:
		return aMap
	case reflect.Slice:
		if k.of.Elem().Kind() == reflect.Uint8 {
			return someBytes
		}
		return aList
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int16, reflect.Int8:
		return anInt
	case reflect.Uint, reflect.Uint32, reflect.Uint16, reflect.Uint8:
		return aUint
	case reflect.Float64, reflect.Float32:
		return aFloat
	case reflect.String:
		return aText
	case reflect.Bool:
		return aBool
	case reflect.Pointer, reflect.Interface:
		if k.held { // one is followed, not two
			return unsupported
		}
		if k.of.Kind() == reflect.Pointer {
			return aPointer
		}
		return anInterface
	}
	return unsupported
}

// makeFields adds the fields that structured-merge-diff sees in a struct, ordered by name.
func (t *Types) makeFields(typ *Type, made map[typeKey]*Type) {
	typ.byName = map[string]int{}
	probe := reflect.New(typ.goType).Elem()
	for _, entry := range value.TypeReflectEntryOf(typ.goType).OrderedFields() {
		at := entry.GetFrom(probe)
		f := structField{typ: t.make(typeKey{at.Type(), false}, made), slow: entry}
		if path := pathTo(probe, at); path != nil {
			f.offset = at.Addr().Pointer() - probe.Addr().Pointer()
			options := strings.Split(typ.goType.FieldByIndex(path).Tag.Get("json"), ",")[1:]
			if slices.Contains(options, "omitempty") {
				f.omits = omitsEmpty(at.Kind())
			}
			if !slices.Contains(options, "omitzero") && at.Kind() != reflect.Chan && at.Kind() != reflect.Func {
				f.slow = nil
			}
		}
		typ.byName[entry.JsonName] = len(typ.fields)
		typ.fields = append(typ.fields, f)
		typ.names = append(typ.names, entry.JsonName)
	}
}

// pathTo returns the indexes of a field that structured-merge-diff found in a struct. It is nil for a
// field behind a pointer.
func pathTo(within, at reflect.Value) []int {
	if !at.CanAddr() {
		return nil
	}
	want := at.Addr().Pointer()
	for i := range within.NumField() {
		f := within.Field(i)
		start := f.Addr().Pointer()
		if start == want && f.Type() == at.Type() {
			return []int{i}
		}
		if f.Kind() == reflect.Struct && start <= want && want < start+f.Type().Size() {
			if path := pathTo(f, at); path != nil {
				return append([]int{i}, path...)
			}
		}
	}
	return nil
}
