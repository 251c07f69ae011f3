package harness

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Operation is what the API server was asked to do, in the words of admission.
type Operation string

// All operations.
const (
	Create Operation = "CREATE"
	Update Operation = "UPDATE"
)

// Case is one input: an object, and for an update also the object before it.
type Case struct {
	// ID names the case in reports: "file#name" of a YAML case, the id of a
	// JSON line.
	ID string
	// Source is where the case stands, as "file:line".
	Source string
	// Why says what the case is for.
	Why string
	// Version is the version that Object and Old are written in. Zero: the
	// object says it by its apiVersion and kind.
	Version schema.GroupVersionKind
	// Object is what is validated: a document as map[string]any with the
	// values of JSON (map[string]any, []any, string, bool, int64, float64,
	// nil), or a typed object, which is taken as it is: neither decoded nor
	// defaulted, the way a unit test hands it to a validation function.
	Object any
	// Old is the object before an update, of the same form; nil: a create.
	Old any
	// Subresource is "status", "scale", …; empty: the resource itself.
	Subresource string
	// Want are the errors that the native validator must give in the version
	// of the case, no more and no fewer. Nil: the case does not say.
	Want []ExpectedError
	// Fault says that the case could not even be read; it was not run.
	Fault *Fault
}

// Operation is an update where there is an old object.
func (c *Case) Operation() Operation {
	if absent(c.Old) {
		return Create
	}
	return Update
}

// absent says that an object is not there. Tables have it as a nil of their own
// type, which an interface does not show.
func absent(object any) bool {
	if object == nil {
		return true
	}
	value := reflect.ValueOf(object)
	return (value.Kind() == reflect.Pointer || value.Kind() == reflect.Map) && value.IsNil()
}

// ExpectedError is an error that a case wants, by what is stable about it.
type ExpectedError struct {
	Type  field.ErrorType
	Field string
	// Detail, where it is not empty, must be contained in the error's detail.
	Detail string
}
