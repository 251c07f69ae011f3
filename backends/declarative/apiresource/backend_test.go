package apiresource_test

import (
	"errors"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// panicking is a Go type whose conversion panics.
type panicking struct{}

// MarshalJSON implements json.Marshaler.
func (panicking) MarshalJSON() ([]byte, error) { panic("oh no") }

// TestPanicIsAFault: a panic is a fault with its stack, not a validation error.
func TestPanicIsAFault(t *testing.T) {
	v, err := apiresource.Compile(served.Schema(t, `{type: object}`), apiresource.Options{Metadata: apiresource.LeaveMetadata})
	if err != nil {
		t.Fatal(err)
	}
	errs, err := apiresource.Backend{Validator: v}.Validate(t.Context(), &harness.Input{
		Request: harness.Request{Operation: admissionv1.Create},
		Object: contract.NewView(&struct {
			A panicking `json:"a"`
		}{}),
	})
	var fault *contract.Fault
	if !errors.As(err, &fault) || len(errs) > 0 {
		t.Fatalf("got %v and the fault %v", errs, err)
	}
	if fault.Reason != words.FaultPanic || !strings.Contains(fault.Error(), "oh no") ||
		!strings.Contains(fault.Stack, "panicking.MarshalJSON") {
		t.Errorf("reason %s: %v\n%s", fault.Reason, fault, fault.Stack)
	}
}
