// Package webhook has validators as controller-runtime calls them, and a handler of reviews.
package webhook

import (
	"context"
	"fmt"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	v1 "example.com/widgets/api/v1"
	"example.com/widgets/validation"
)

// WidgetValidator is an admission.CustomValidator of controller-runtime.
type WidgetValidator struct {
	Strict bool
	Client any
}

func (*WidgetValidator) ValidateCreate(_ context.Context, obj runtime.Object) ([]string, error) {
	w, ok := obj.(*v1.Widget)
	if !ok {
		return nil, fmt.Errorf("not a widget: %T", obj)
	}
	if errs := validation.ValidateWidget(w, validation.Options{}); len(errs) > 0 {
		return nil, apierrors.NewInvalid(schema.GroupKind{Group: "widgets.example.com", Kind: "Widget"}, w.Name, errs)
	}
	return nil, nil
}

func (*WidgetValidator) ValidateUpdate(_ context.Context, oldObj, newObj runtime.Object) ([]string, error) {
	return nil, validation.ValidateWidgetUpdate(newObj.(*v1.Widget), oldObj.(*v1.Widget)).ToAggregate()
}

func (*WidgetValidator) ValidateDelete(_ context.Context, obj runtime.Object) ([]string, error) {
	return nil, fmt.Errorf("widgets stay")
}

// Admit answers a review.
func Admit(review admissionv1.AdmissionReview) *admissionv1.AdmissionResponse {
	return &admissionv1.AdmissionResponse{Result: &metav1.Status{Message: "spec.size: Invalid value: 3: too big", Code: http.StatusForbidden}}
}
