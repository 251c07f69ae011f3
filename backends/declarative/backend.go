package declarative

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// Backend is a Validator as one side of a comparison. It implements harness.Backend and
// contract.Capable.
type Backend struct{ *Validator }

// Name is "declarative".
func (Backend) Name() string { return contract.DeclarativeName }

// Validate validates the input in place, typed or not. If the context ends meanwhile, errors may be
// missing, so this is a fault. A panic is one too: the error is a *contract.Fault with the stack.
func (b Backend) Validate(ctx context.Context, in *harness.Input) (errs field.ErrorList, err error) {
	defer contract.Recover(&err)
	errs = b.ForSubresource(in.Subresource).Validate(ctx, in.Object.Value(), oldOf(in))
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return errs, nil
}

// Capabilities implements contract.Capable.
func (b Backend) Capabilities() contract.Capabilities {
	return contract.Capabilities{
		Declarations: func(*harness.Input) difference.Declarations { return b.Validator.Declarations() },
		WithoutRatcheting: func(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
			return Backend{b.WithoutRatcheting()}.Validate(ctx, in)
		},
		UncheckedRules: b.uncheckedRules,
		Locate:         b.locate,
	}
}

// uncheckedRules returns the errors of the rules on an input on which they were not checked.
func (b Backend) uncheckedRules(ctx context.Context, in *harness.Input) (errs field.ErrorList, err error) {
	defer contract.Recover(&err)
	errs = b.ForSubresource(in.Subresource).walker.UncheckedRules(ctx, in.Object.Value(), oldOf(in))
	return errs, context.Cause(ctx)
}

func oldOf(in *harness.Input) value.Value {
	if in.Old == nil {
		return nil
	}
	return in.Old.Value()
}
