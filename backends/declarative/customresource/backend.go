package customresource

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
)

// Backend is a Validator as one side of a comparison. It implements
// harness.Backend, harness.Declaring, harness.Unchecking, harness.Ratcheting and
// harness.Locating.
type Backend struct{ *Validator }

// Name is "declarative".
func (Backend) Name() string { return harness.DeclarativeName }

// Validate validates the input as the subresource of its request asks (see
// ValidateStatus and ValidateScale). A subresource that the resource does not have, or
// a status without an old object, is a fault. So is a panic: the error is a *harness.Fault
// with the stack.
func (b Backend) Validate(ctx context.Context, in *harness.Input) (errs field.ErrorList, err error) {
	defer harness.Recover(&err)
	request := in.Request
	if request.Subresource == subresource.ScaleName {
		request.Operation = harness.Update // without an old object it is read
	}
	if err := accepts(b.opts.Subresources, request); err != nil {
		return nil, err
	}
	object, old, err := harness.Read(in, (*harness.View).Unstructured)
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

// Unratcheted gives the errors of an update with those at values that did not change.
func (b Backend) Unratcheted(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	return Backend{b.WithoutRatcheting()}.Validate(ctx, in)
}

// Unchecked gives what the rules say of an input on which they were not checked. Of a
// Scale it says nothing: its fields are not those of the resource.
func (b Backend) Unchecked(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	if in.Subresource == subresource.ScaleName {
		return nil, nil
	}
	return declarative.Backend{Validator: b.main}.Unchecked(ctx, in)
}

// Declarations says what the schema of the version declares. Of a Scale it says nothing:
// its fields are not those of the resource.
func (b Backend) Declarations(in *harness.Input) equivalence.Declarations {
	if in.Subresource == subresource.ScaleName {
		return nil
	}
	return b.main.Declarations()
}
