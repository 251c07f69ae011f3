package native

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/admission"
)

// ErrorFunc is a hand-written validator that returns a Go error, as validators of
// controller-runtime webhooks do. Its errors are a *field.Error, an aggregate or a status with
// causes, also when wrapped; the text of any other is read like that of a webhook. T is as for Func. ErrorFunc implements
// harness.Backend.
type ErrorFunc[T any] func(ctx context.Context, object, old T) error

// Name is "native".
func (ErrorFunc[T]) Name() string { return contract.NativeName }

// Validate calls the function. A document is decoded into T first; one that
// does not fit T is a fault.
func (f ErrorFunc[T]) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	return Adapt(f, admission.ErrorsOf).Validate(ctx, in)
}

// Lenient returns a backend that decodes as a webhook does; see [Func.Lenient].
func (f ErrorFunc[T]) Lenient() harness.Backend { return Adapt(f, admission.ErrorsOf).Lenient() }

// Adapt returns a Func for a validator that returns its own error type, such as knative's
// *apis.FieldError. read turns that error into field errors; it also gets nil pointers.
func Adapt[T, E any](validate func(ctx context.Context, object, old T) E, read func(E) field.ErrorList) Func[T] {
	return func(ctx context.Context, object, old T) field.ErrorList {
		return read(validate(ctx, object, old))
	}
}
