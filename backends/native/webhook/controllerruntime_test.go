package webhook_test

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// invalid is a validator as kubebuilder scaffolds it: errors become a status
// with causes.
type invalid struct{}

func (v invalid) ValidateCreate(_ context.Context, object *corev1.ConfigMap) (admission.Warnings, error) {
	return admission.Warnings{"a warning"}, v.status(object, validate(object, nil))
}

func (v invalid) ValidateUpdate(_ context.Context, old, object *corev1.ConfigMap) (admission.Warnings, error) {
	return nil, v.status(object, validate(object, old))
}

func (invalid) ValidateDelete(context.Context, *corev1.ConfigMap) (admission.Warnings, error) {
	return nil, nil
}

func (invalid) status(object *corev1.ConfigMap, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(configMap.GroupKind(), object.Name, errs)
}

// aggregated is a validator of the old interface, which returns a plain error: only its text arrives.
type aggregated struct{}

func (aggregated) ValidateCreate(_ context.Context, object runtime.Object) (admission.Warnings, error) {
	return nil, toError(validate(object.(*corev1.ConfigMap), nil))
}

func (aggregated) ValidateUpdate(_ context.Context, old, object runtime.Object) (admission.Warnings, error) {
	return nil, toError(validate(object.(*corev1.ConfigMap), old.(*corev1.ConfigMap)))
}

func (aggregated) ValidateDelete(context.Context, runtime.Object) (admission.Warnings, error) {
	return nil, nil
}

// toError returns a nil error for a nil aggregate.
func toError(errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return errs.ToAggregate()
}
