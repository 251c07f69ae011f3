package native

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/admission"
)

// ErrorFunc is a hand-written validator that returns a Go error, as validators of
// controller-runtime webhooks do. Errors reads that error. T is as for Func. ErrorFunc implements
// harness.Backend.
type ErrorFunc[T any] func(ctx context.Context, object, old T) error

// Name is "native".
func (ErrorFunc[T]) Name() string { return contract.NativeName }

// Validate calls the function. A document is decoded into T first; one that
// does not fit T is a fault.
func (f ErrorFunc[T]) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	return Adapt(f, Errors).Validate(ctx, in)
}

// Lenient returns a backend that decodes as a webhook does; see [Func.Lenient].
func (f ErrorFunc[T]) Lenient() harness.Backend { return Adapt(f, Errors).Lenient() }

// Adapt returns a Func for a validator that returns its own error type, such as knative's
// *apis.FieldError. read turns that error into field errors; it also gets nil pointers.
func Adapt[T, E any](validate func(ctx context.Context, object, old T) E, read func(E) field.ErrorList) Func[T] {
	return func(ctx context.Context, object, old T) field.ErrorList {
		return read(validate(ctx, object, old))
	}
}

// Errors returns the validation errors in a Go error: a *field.Error, an aggregate
// (ErrorList.ToAggregate, errors.Join) or a status with causes (apierrors.NewInvalid), also when
// wrapped. The text of any other error is parsed like the text of a webhook, usually
// into one error for the whole object with the Origin admission.OriginText.
func Errors(err error) field.ErrorList {
	if err == nil {
		return nil
	}
	if errs, structured := structuredErrors(err); structured {
		return errs
	}
	return admission.MessageErrors(err.Error())
}

// structuredErrors returns the errors in an error that is more than a text.
func structuredErrors(err error) (errs field.ErrorList, structured bool) {
	switch err := err.(type) {
	case *field.Error:
		return field.ErrorList{err}, true
	case apierrors.APIStatus:
		status := err.Status()
		return admission.StatusErrors(&status), true
	case utilerrors.Aggregate:
		return each(err.Errors()), true
	case interface{ Unwrap() []error }:
		return each(err.Unwrap()), true
	}
	if inner := errors.Unwrap(err); inner != nil {
		return structuredErrors(inner)
	}
	return nil, false
}

func each(errs []error) (all field.ErrorList) {
	for _, err := range errs {
		all = append(all, Errors(err)...)
	}
	return all
}
