package declarative_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// panicking is a Go type whose conversion panics.
type panicking struct{}

// MarshalJSON implements json.Marshaler.
func (panicking) MarshalJSON() ([]byte, error) { panic("oh no") }

// TestPanicIsAFault: a panic inside the engine is a fault with its stack. As a validation error it would be
// compared.
func TestPanicIsAFault(t *testing.T) {
	v := compile(t, `{type: object, properties: {a: {type: string}}}`, declarative.Options{})
	object := &struct {
		A panicking `json:"a"`
	}{}
	backend := declarative.Backend{Validator: v}
	in := &harness.Input{Object: contract.NewView(object)}
	errs, err := backend.Validate(t.Context(), in)
	var fault *contract.Fault
	if !errors.As(err, &fault) || len(errs) > 0 {
		t.Fatalf("got %v and the fault %v", errs, err)
	}
	if fault.Reason != words.FaultPanic || !strings.Contains(fault.Error(), "oh no") ||
		!strings.Contains(fault.Stack, "panicking.MarshalJSON") {
		t.Errorf("reason %s: %v\n%s", fault.Reason, fault, fault.Stack)
	}
	outcome := harness.Ask(t.Context(), backend, in, contract.DefaultTimeout)
	if outcome.Fault == nil || outcome.Fault.Reason != words.FaultPanic || !strings.Contains(outcome.Fault.Stack, "panicking.MarshalJSON") {
		t.Errorf("asked by the harness: %v", outcome.Fault)
	}
	if strings.Contains(outcome.Fault.Error(), "guard.go") || !strings.Contains(outcome.Fault.Error(), "declarative_test/backend_test.go") {
		t.Errorf("the fault names another place: %v", outcome.Fault)
	}
	// The validator still works.
	good := &struct {
		A string `json:"a"`
	}{"x"}
	if errs, err := backend.Validate(t.Context(), &harness.Input{Object: contract.NewView(good)}); len(errs) > 0 || err != nil {
		t.Errorf("after a panic: %v, %v", errs, err)
	}
	func() {
		defer func() {
			if cause := recover(); cause != "oh no" {
				t.Errorf("Validate panics with %v", cause)
			}
		}()
		v.Validate(t.Context(), goValue(t, object), nil)
	}()
}
