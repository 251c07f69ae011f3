package harness

import (
	"errors"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// Input is one Case in one version, ready for a backend.
type Input struct {
	Request
	// Object is what is validated, Old what it replaces; Old is nil for a
	// create.
	Object, Old *View
	// Order is by what the keys of objects are put in order by a backend that writes
	// them: zero sorts them, any other number is the seed of an order of its own, on a
	// repeat (Options.Repeat).
	Order uint64
}

// View gives one object in the form that a backend needs; each form is made at
// most once and shared, so a backend must not change it.
type View struct {
	object       any
	unstructured func() (map[string]any, error)
	value        func() value.Value
}

// NewView looks at an object: a pointer to a Go struct, or a document as
// map[string]any. Any other value of JSON is seen as it is, for schemas that are
// not of an object; only Value gives it.
func NewView(object any) *View {
	return &View{
		object: object,
		unstructured: sync.OnceValues(func() (map[string]any, error) {
			switch object := object.(type) {
			case map[string]any:
				return object, nil
			case nil, []any, string, bool, int64, float64:
				return nil, errors.New("it is no JSON object, which this backend needs")
			}
			return runtime.DefaultUnstructuredConverter.ToUnstructured(object)
		}),
		value: sync.OnceValue(func() value.Value {
			switch object.(type) {
			case nil, map[string]any, []any, string, bool, int64, float64:
				return value.NewValueInterface(object)
			}
			return reflectValue(object)
		}),
	}
}

// reflectValue looks at a Go struct in place, without converting it.
func reflectValue(object any) value.Value {
	reflected, err := value.NewValueReflect(object)
	if err != nil {
		// NewValueReflect refuses what is no pointer to a struct, which no
		// Scheme may hand out.
		panic(fmt.Sprintf("harness: a scheme made a %T, which is neither a pointer to a struct nor a document: %v", object, err))
	}
	return reflected
}

// Typed gives the object as a Go value, if it is one.
func (v *View) Typed() (runtime.Object, bool) {
	typed, ok := v.object.(runtime.Object)
	return typed, ok
}

// Unstructured gives the object as a document with the values of JSON.
func (v *View) Unstructured() (map[string]any, error) { return v.unstructured() }

// Value gives the object as a view that needs no conversion.
func (v *View) Value() value.Value { return v.value() }
