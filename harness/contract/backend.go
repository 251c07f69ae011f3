package contract

import (
	"context"
	"errors"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/apiname"
)

// The names of the backends that most targets compare.
const (
	NativeName      = "native"
	DeclarativeName = "declarative"
)

// Backend validates an Input. It may be called from several goroutines at once
// and must not change the Input.
type Backend interface {
	// Name returns "native", "declarative" or "reference".
	Name() string
	// Validate returns the errors of validation. The error is a fault: the backend could not
	// decide.
	Validate(ctx context.Context, in *Input) (field.ErrorList, error)
}

// Request is the request of a client, without the objects.
type Request struct {
	Version schema.GroupVersionKind
	// Resource is the resource in the path of the request; empty: unknown.
	Resource    schema.GroupVersionResource
	Operation   admissionv1.Operation
	Subresource string
	// Name and Namespace are those in the path of the request if the object has no metadata.
	Name, Namespace string
	// User sends the request; nil: an administrator.
	User *User
}

// User is the user of a request, for webhooks and policies that read it.
type User struct {
	Name   string
	Groups []string
}

// InexpressibleError means that a version cannot express an object: converting the object to the
// version and back changes it.
type InexpressibleError struct {
	Version schema.GroupVersionKind
	// Reason describes what is lost.
	Reason string
}

func (e *InexpressibleError) Error() string {
	return fmt.Sprintf("%s cannot express this case: %s", apiname.Target(e.Version), e.Reason)
}

// ErrNotOffered means that there is no backend for a version. Functions that make backends return
// or wrap it.
var ErrNotOffered = errors.New("no such backend")
