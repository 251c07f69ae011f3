package contract

import (
	"errors"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/harness/words"
)

// Input is one Case in one version, ready for a backend.
type Input struct {
	Request
	// Case is the id of the case, for messages; it may be empty.
	Case string
	// Part is the field of the kind that holds Object and Old, as in "spec.template"; empty: they
	// are whole objects.
	Part string
	// Object is validated and replaces Old; Old is nil for a create. For a delete, Old is deleted
	// and Object is nil.
	Object, Old *View
	// Cluster has the objects of harness.Case.Cluster.
	Cluster []map[string]any
	// Requested is the request of the client if the objects were converted from its version for
	// this backend; nil: they were not.
	Requested *Request
	// Stored is set if the harness asks about the stored object of a case (harness.Options.Stored): coverage does
	// not count such requests, because no case makes them.
	Stored words.StoredRequest
	// Order is the order in which a backend writes the keys of objects: zero is sorted, any other
	// number is the seed of a random order, for a repeat (harness.Options.Repeat).
	Order uint64
}

// Read reads Object and Old of an input. It returns the zero value for one that the input lacks.
// The error says which of them cannot be read.
func Read[T any](in *Input, read func(*View) (T, error)) (object, old T, err error) {
	if in.Object != nil {
		if object, err = read(in.Object); err != nil {
			return object, old, fmt.Errorf("object: %w", err)
		}
	}
	if in.Old != nil {
		if old, err = read(in.Old); err != nil {
			return object, old, fmt.Errorf("old object: %w", err)
		}
	}
	return object, old, nil
}

// View is an object in the forms that backends need. Each form is made once and shared, so backends
// must not change it.
type View struct {
	object       any
	unstructured func() (map[string]any, error)
	value        func() value.Value
}

// NewView returns the View of an object: a pointer to a Go struct, or a document as map[string]any.
// For schemas of other values, object may be any JSON value; only the method Value returns it.
func NewView(object any) *View {
	return &View{
		object: object,
		unstructured: sync.OnceValues(func() (map[string]any, error) {
			switch object := object.(type) {
			case map[string]any:
				return object, nil
			case nil, []any, string, bool, int64, float64:
				return nil, errors.New("it is not a JSON object, which this backend needs")
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

// reflectValue wraps a Go struct without converting it.
func reflectValue(object any) value.Value {
	reflected, err := value.NewValueReflect(object)
	if err != nil {
		// NewValueReflect accepts only pointers to structs. A Scheme must return those or
		// documents.
		panic(fmt.Sprintf("harness: a scheme made a %T, which is neither a pointer to a struct nor a document: %v", object, err))
	}
	return reflected
}

// Go returns the object as its Scheme made it: a document, or a pointer to a Go struct, which may
// be a part of a kind.
func (v *View) Go() any { return v.object }

// Typed returns the object as a Go value if it is a whole object.
func (v *View) Typed() (runtime.Object, bool) {
	typed, ok := v.object.(runtime.Object)
	return typed, ok
}

// Unstructured returns the object as a document with JSON values.
func (v *View) Unstructured() (map[string]any, error) { return v.unstructured() }

// Value returns the object as a value of structured-merge-diff, without a conversion.
func (v *View) Value() value.Value { return v.value() }
