package apiresource

import (
	"context"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// Backend is a Validator as one side of a comparison. It implements harness.Backend and
// contract.Capable.
type Backend struct{ *Validator }

// Name is "declarative".
func (Backend) Name() string { return contract.DeclarativeName }

// Validate validates the input as the subresource of its request asks (see
// ValidateStatus and ValidateScale). A subresource that the resource does not have, or
// a status without an old object, is a fault. So is a panic: the error is a *contract.Fault
// with the stack.
func (b Backend) Validate(ctx context.Context, in *harness.Input) (errs field.ErrorList, err error) {
	defer contract.Recover(&err)
	request := in.Request
	if request.Subresource == subresource.ScaleName {
		request.Operation = admissionv1.Update // without an old object it is read
	}
	if err := accepts(b.opts.Subresources, request); err != nil {
		return nil, err
	}
	object, old, err := contract.Read(in, (*contract.View).Unstructured)
	if err != nil {
		return nil, err
	}
	switch in.Subresource {
	case subresource.StatusName:
		errs = b.ValidateStatus(ctx, object, old)
	case subresource.ScaleName:
		errs = b.ValidateScale(ctx, object, old)
	default:
		errs = b.Validator.Validate(ctx, object, old)
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err // rules that were cut short may be missing
	}
	return errs, nil
}

// Capabilities implements contract.Capable. The schema declares nothing of a Scale, whose fields are
// not those of the resource.
func (b Backend) Capabilities() contract.Capabilities {
	return contract.Capabilities{
		Declarations: func(in *harness.Input) difference.Declarations {
			if in.Subresource == subresource.ScaleName {
				return nil
			}
			return b.declarations()
		},
		UncheckedRules: func(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
			if in.Subresource == subresource.ScaleName {
				return nil, nil
			}
			return declarative.Backend{Validator: b.main}.Capabilities().UncheckedRules(ctx, in)
		},
		WithoutRatcheting: func(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
			return Backend{b.WithoutRatcheting()}.Validate(ctx, in)
		},
		Locate: b.locate,
	}
}
