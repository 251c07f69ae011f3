package reference

import (
	"context"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/apiname"
)

// Backend is a Validator in a comparison. It implements harness.Backend.
type Backend struct {
	validator *Validator
}

// NewBackend returns a backend for a validator.
func NewBackend(v *Validator) *Backend { return &Backend{validator: v} }

// Name is "reference".
func (b *Backend) Name() string { return "reference" }

// Validate validates the input as a document. A subresource that the resource does
// not have, or whose update is not one of the resource (scale), is a fault.
func (b *Backend) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	s, err := b.strategy(in)
	if err != nil {
		return nil, err
	}
	obj, old, err := contract.Read(in, (*contract.View).Unstructured)
	if err != nil {
		return nil, err
	}
	errs := b.validator.validate(ctx, s, obj, old)
	if err := ctx.Err(); err != nil {
		return nil, err // rules that were cut short look like errors of the object
	}
	return errs, nil
}

func (b *Backend) strategy(in *harness.Input) (strategy, error) {
	switch {
	case in.Subresource == "":
		return b.validator.main, nil
	case in.Subresource != "status":
		return nil, fmt.Errorf("the reference backend validates no subresource %q; it knows status", in.Subresource)
	case b.validator.status == nil:
		return nil, fmt.Errorf("%s has no status subresource", apiname.Target(in.Version))
	case in.Operation != admissionv1.Update:
		return nil, fmt.Errorf("status can be updated only: the case needs an old object")
	default:
		return b.validator.status, nil
	}
}
