package harness

import (
	"reflect"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// Case is one input: an object, and for an update also the object before it.
type Case struct {
	// ID names the case in reports: "file#name" for a YAML case, the id for a JSON line.
	ID string
	// Source is the position of the case, as "file:line".
	Source string
	// Number is the position of the case in the run, starting at one; zero: unknown.
	Number int
	// Why says what the case is for.
	Why string
	// Version is the version of Object and Old. Zero: apiVersion and kind of the object.
	Version schema.GroupVersionKind
	// Object is the object to validate. It is a document (map[string]any with JSON values:
	// map[string]any, []any, string, bool, int64, float64, nil) or a typed object. A float64
	// without a fraction is an integer, as in the JSON that a client sends, unless ExactNumbers is
	// set. A typed object is neither decoded nor defaulted, like the object that a unit test passes
	// to a validation function. It may be a part of the kind, such as its spec, if the scheme knows
	// parts (contract.SchemeCapabilities.Part).
	Object any
	// Old is the object before an update, of the same form; nil: a create.
	Old any
	// ExactNumbers keeps the numbers of documents as in the JSON text that is sent: a float64 of 3
	// is sent as 3.0, which the API server does not accept as an integer everywhere.
	ExactNumbers bool
	// Deletes makes the case a deletion of Object, which is stored. Old is nil then. Only backends
	// with contract.Capabilities.ValidatesDeletes validate it.
	Deletes bool
	// Connects makes the case a CONNECT to a subresource, with the options in Object, such as a
	// PodExecOptions. Old is nil then. The same backends validate it.
	Connects bool
	// RequestName and RequestNamespace are those in the path of the request, for an Object without
	// metadata, such as the options of a CONNECT.
	RequestName, RequestNamespace string
	// Path is the prefix of the paths of native errors: the path that a test passes to the
	// hand-written function of a part, such as field.NewPath("spec"). Nil: the root. If the kind
	// has several parts of the same type, the end of the path selects one.
	Path *field.Path
	// Subresource is "status", "scale", …; empty: the resource itself.
	Subresource string
	// Cluster has objects that are in the cluster beside Old, as documents: validators that read the
	// cluster find them, and policies find Namespaces.
	Cluster []map[string]any
	// User sends the request; nil: an administrator, whom no validator should treat specially.
	User *User
	// Want lists all errors that the native validator must return in the version of the case. Nil:
	// any errors.
	Want []ExpectedError
	// WantDecision is what the native validator must decide in the version of the case, whatever its
	// errors are; empty: anything. It takes the place of Want.
	WantDecision words.Decision
	// WantOfGuards: WantDecision is that of the guards of a world, as in a test of a policy. Without a
	// decision of them (Result.Unguarded) nothing is wanted.
	WantOfGuards bool
	// Fault is set if the case could not be read. Such a case is not run.
	Fault *contract.Fault

	stored words.StoredRequest // of the object of a case, if the harness made the case
}

// Operation returns Delete for a deletion, Connect for a connection, Update if there is an old object,
// and otherwise Create.
func (c *Case) Operation() admissionv1.Operation {
	switch {
	case c.Deletes:
		return admissionv1.Delete
	case c.Connects:
		return admissionv1.Connect
	case absent(c.Old):
		return admissionv1.Create
	}
	return admissionv1.Update
}

// request returns the request of the case in a version, without its resource.
func (c *Case) request(version schema.GroupVersionKind) Request {
	return Request{
		Version:     version,
		Operation:   c.Operation(),
		Subresource: c.Subresource,
		Name:        c.RequestName,
		Namespace:   c.RequestNamespace,
		User:        c.User,
	}
}

// Expects reports whether the case says what the native validator must return.
func (c *Case) Expects() bool { return c.Want != nil || c.WantDecision != "" }

// absent reports whether an object is nil, including the typed nil pointers and maps of test
// tables.
func absent(object any) bool {
	if object == nil {
		return true
	}
	value := reflect.ValueOf(object)
	return (value.Kind() == reflect.Pointer || value.Kind() == reflect.Map) && value.IsNil()
}

// ExpectedError is an error that a case expects.
type ExpectedError struct {
	Type  field.ErrorType
	Field string
	// Detail is a substring of the error's detail; empty: any detail.
	Detail string
}
