package admission

import (
	"net/http"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// PanicAnnotation is the audit annotation with which a webhook that is served by this module says where in its source it
// panicked.
const PanicAnnotation = "diffrun/panic"

// RecoveredPanic reports whether a status is what controller-runtime makes of a panic
// (Webhook.Handle of sigs.k8s.io/controller-runtime/pkg/webhook/admission). The API server denies the request.
func RecoveredPanic(status *metav1.Status) bool {
	return status != nil && status.Code == http.StatusInternalServerError &&
		strings.HasPrefix(status.Message, "panic: ") && strings.HasSuffix(status.Message, " [recovered]")
}

// Panicked reports whether the webhook refuses because it panicked, at a place in its source that is not known.
func (d *Decision) Panicked() bool {
	return len(d.Errors) == 1 && fielderror.IsPanic(d.Errors[0]) && fielderror.PanicPlace(d.Errors[0]) == ""
}

// PanickedAt notes where in its source the webhook panicked, if it did; empty: it is not known.
func (d *Decision) PanickedAt(place string) {
	if d.Panicked() {
		d.Errors = field.ErrorList{fielderror.Panic(d.Errors[0].Detail, place)}
	}
}

// panicResponse returns the response of controller-runtime for the error of a panic.
func panicResponse(err *field.Error) *admissionv1.AdmissionResponse {
	response := &admissionv1.AdmissionResponse{Result: &metav1.Status{Code: http.StatusInternalServerError, Message: err.Detail}}
	NotePanic(response, fielderror.PanicPlace(err))
	return response
}

// NotePanic writes into the response for a panic where it was; an empty place is not known.
func NotePanic(response *admissionv1.AdmissionResponse, place string) {
	if place == "" || response.Allowed || !RecoveredPanic(response.Result) {
		return
	}
	if response.AuditAnnotations == nil {
		response.AuditAnnotations = map[string]string{}
	}
	response.AuditAnnotations[PanicAnnotation] = place
}
