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
	Delete Operation = "DELETE"
)

// Operations lists all operations.
func Operations() []Operation { return []Operation{Create, Update, Delete} }

// Case is one input: an object, and for an update also the object before it.
type Case struct {
	// ID names the case in reports: "file#name" of a YAML case, the id of a
	// JSON line.
	ID string
	// Source is where the case stands, as "file:line".
	Source string
	// Number is the place of the case in the run, counted from one; zero: unknown.
	Number int
	// Why says what the case is for.
	Why string
	// Version is the version of Object and Old. Zero: apiVersion and kind of the object
	// say it.
	Version schema.GroupVersionKind
	// Object is validated. It is a document (map[string]any with the values of JSON:
	// map[string]any, []any, string, bool, int64, float64, nil) or a typed object. A
	// float64 without a fraction is an integer, as in the JSON that a client sends, unless
	// ExactNumbers is set. A
	// typed object is neither decoded nor defaulted, like the object that a unit test
	// passes to a validation function. It may be a part of the kind, such as its spec, if the
	// scheme knows parts (SchemeCapabilities.Part).
	Object any
	// Old is the object before an update, of the same form; nil: a create.
	Old any
	// ExactNumbers says that the documents have the numbers of the JSON text that is sent: it
	// has 3.0 where they have a float64 of 3, which the API server does not take for an integer
	// everywhere.
	ExactNumbers bool
	// Deletes says that Object, which is stored, is deleted. Old is nil then. Only
	// backends with Capabilities.ValidatesDeletes look at it.
	Deletes bool
	// Path is where the paths of native errors begin: the path that a test gives the
	// hand-written function of a part, such as field.NewPath("spec"). Nil: at the root. Where the
	// kind has several parts of the same type, the end of the path says which one Object is.
	Path *field.Path
	// Subresource is "status", "scale", …; empty: the resource itself.
	Subresource string
	// Want are all errors that the native validator must give in the version of the
	// case. Nil: any errors.
	Want []ExpectedError
	// Fault says that the case could not be read. Such a case is not run.
	Fault *Fault
}

// Operation is Delete if the case says so, Update if it has an old object, and otherwise
// Create.
func (c *Case) Operation() Operation {
	switch {
	case c.Deletes:
		return Delete
	case absent(c.Old):
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

// ExpectedError is an error that a case wants.
type ExpectedError struct {
	Type  field.ErrorType
	Field string
	// Detail is a part of the error's detail; empty: any detail.
	Detail string
}
