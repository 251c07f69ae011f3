package webhook

import (
	"context"
	"slices"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/diffrun/diffrun/harness"
	reviews "github.com/diffrun/diffrun/internal/admission"
	"github.com/diffrun/diffrun/shadow"
)

// Handler puts a Shadow around a handler of controller-runtime for validating requests, such
// as an *admission.Webhook.
func Handler(s *shadow.Shadow, handler admission.Handler) admission.Handler {
	return admission.HandlerFunc(func(ctx context.Context, request admission.Request) admission.Response {
		began := time.Now()
		response := handler.Handle(ctx, request)
		if again := compare(ctx, s, &request.AdmissionRequest, &response.AdmissionResponse, time.Since(began)); again != nil {
			response.AdmissionResponse = *again
		}
		return response
	})
}

// compare compares the schema with the response to a request. It returns the response that replaces it, or
// nil if it remains.
func compare(ctx context.Context, s *shadow.Shadow, request *admissionv1.AdmissionRequest,
	response *admissionv1.AdmissionResponse, took time.Duration) *admissionv1.AdmissionResponse {
	if request.Operation != admissionv1.Create && request.Operation != admissionv1.Update || reviews.RecoveredPanic(response.Result) {
		return nil // nothing that a schema validates, or no verdict
	}
	in, err := reviews.InputOf(request)
	if err != nil || in.Object == nil {
		return nil // no object that a validator could have looked at
	}
	decision := reviews.DecisionOf(response)
	c := harness.Case{ID: string(request.UID), Object: in.Object.Go(), Version: in.Version, Subresource: in.Subresource}
	if in.Old != nil {
		c.Old = in.Old.Go()
	}
	errs := s.Compare(ctx, c, decision.Errors, took)
	if slices.Equal(decision.Errors, errs) {
		return nil
	}
	again := reviews.ResponseTo(request, errs)
	again.UID, again.Warnings, again.AuditAnnotations = response.UID, response.Warnings, response.AuditAnnotations
	return again
}
