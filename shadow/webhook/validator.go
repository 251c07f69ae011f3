package webhook

import (
	"context"
	"errors"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/diffrun/diffrun/harness"
	nativeadmission "github.com/diffrun/diffrun/internal/admission"
	"github.com/diffrun/diffrun/shadow"
)

// Validator puts a Shadow around a validator of controller-runtime for a Go type T, such as *v1.Widget; for
// a webhook.CustomValidator, T is runtime.Object. Deletions go to the validator only.
func Validator[T runtime.Object](s *shadow.Shadow, validator admission.Validator[T]) admission.Validator[T] {
	return beside[T]{validator, s}
}

type beside[T runtime.Object] struct {
	admission.Validator[T]
	shadow *shadow.Shadow
}

func (b beside[T]) ValidateCreate(ctx context.Context, object T) (admission.Warnings, error) {
	return b.validate(ctx, harness.Case{Object: object}, func() (admission.Warnings, error) {
		return b.Validator.ValidateCreate(ctx, object)
	})
}

func (b beside[T]) ValidateUpdate(ctx context.Context, old, object T) (admission.Warnings, error) {
	return b.validate(ctx, harness.Case{Object: object, Old: old}, func() (admission.Warnings, error) {
		return b.Validator.ValidateUpdate(ctx, old, object)
	})
}

func (b beside[T]) validate(ctx context.Context, c harness.Case, validator func() (admission.Warnings, error)) (admission.Warnings, error) {
	began := time.Now()
	warnings, refused := validator()
	took := time.Since(began)
	if gaveUp(refused) {
		return warnings, refused
	}
	if request, err := admission.RequestFromContext(ctx); err == nil {
		c.ID, c.Version, c.Subresource = string(request.UID), schema.GroupVersionKind(request.Kind), request.SubResource
	}
	said := nativeadmission.ErrorsOf(refused)
	errs := b.shadow.Compare(ctx, c, said, took)
	switch {
	case slices.Equal(said, errs):
		return warnings, refused
	case len(errs) == 0:
		return warnings, nil
	}
	return warnings, apierrors.NewInvalid(b.shadow.Target().Kind, nameOf(c.Object), errs)
}

// gaveUp reports whether a validator stopped because the client no longer waits. Every other error denies
// the object, whatever its code.
func gaveUp(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

func nameOf(object any) string {
	if accessor, err := meta.Accessor(object); err == nil {
		return accessor.GetName()
	}
	return ""
}
