package valuev4

import (
	"reflect"

	value4 "sigs.k8s.io/structured-merge-diff/v4/value"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative/internal/reflected"
)

// Of shows v as a value of structured-merge-diff v6. The result refers to the
// same object, so it is valid as long as v and sees later changes of the object.
// It is nil for a nil v, which means "no old object" in Validate.
func Of(v value4.Value) value.Value {
	if v == nil {
		return nil
	}
	if reflect.TypeOf(v) == unstructured {
		return value.NewValueInterface(v.Unstructured()) // the data itself
	}
	if object, ok := goObject(v); ok {
		if same, err := value.NewValueReflect(object); err == nil {
			return same
		}
	}
	return wrapped{v}
}

// unstructured is the type returned by NewValueInterface of v4.
var unstructured = reflect.TypeOf(value4.NewValueInterface(nil))

// reflecting is the type returned by NewValueReflect of v4.
var reflecting = func() reflected.Wrapper {
	v, err := value4.NewValueReflect(&struct{}{})
	if err != nil {
		return reflected.WrapperOf(nil)
	}
	return reflected.WrapperOf(v)
}()

// goObject returns a pointer to the Go value that v was made from. It is false if there is none, as for a
// value in a Go map.
func goObject(v value4.Value) (any, bool) {
	held, ok := reflecting.GoValue(v)
	switch {
	case !ok || !held.CanInterface(): // v4 shows fields that are not exported
		return nil, false
	case held.Kind() == reflect.Pointer: // v4 follows pointers, so this one is nil
		return held.Interface(), true
	case held.Kind() == reflect.Interface || !held.CanAddr():
		return nil, false
	}
	return held.Addr().Interface(), true
}

// wrapped shows any value of v4. Allocators of v6 cannot make values of v4, so
// they are not used.
type wrapped struct{ value4.Value }

func (w wrapped) AsMap() value.Map                       { return wrappedMap{w.Value.AsMap()} }
func (w wrapped) AsMapUsing(value.Allocator) value.Map   { return w.AsMap() }
func (w wrapped) AsList() value.List                     { return wrappedList{w.Value.AsList()} }
func (w wrapped) AsListUsing(value.Allocator) value.List { return w.AsList() }
