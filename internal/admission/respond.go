package admission

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/text/jsonerrors"
	"github.com/diffrun/diffrun/internal/text/oneline"
)

// MaxRequest is the largest request that is read, in bytes. An object may have 3 MiB, and an update
// contains two.
const MaxRequest = 16 << 20

// Reviewer may be implemented by a Backend that answers requests itself, as a handler of
// controller-runtime does. Respond then does not call Validate.
type Reviewer interface {
	// Review returns the response; Respond fills in the UID and catches a panic.
	Review(ctx context.Context, request *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse
}

// Lenient may be implemented by a Backend that treats unknown fields as mistakes, and documents
// that it cannot decode as faults. Lenient returns a backend that drops the former and refuses the
// latter, as a webhook does.
type Lenient interface {
	Lenient() harness.Backend
}

// Respond asks a validator about an AdmissionReview request and returns the AdmissionReview
// response, both as JSON (admission.k8s.io/v1). [Request.Errors] reads the validator's errors from
// the response. The warnings of the validator (contract.AddNotes) are those of the response.
//
// The error is a [*NoVerdictError] if the validator reached no verdict. Any other error means that
// review is not such a request.
func Respond(ctx context.Context, validator harness.Backend, review []byte) ([]byte, error) {
	return Answer(ctx, review, func(ctx context.Context, asked *admissionv1.AdmissionRequest) (*admissionv1.AdmissionResponse, error) {
		return ask(ctx, validator, asked)
	})
}

// Answer is Respond for a function that answers whole requests. Its error and its panic are a
// [*NoVerdictError].
func Answer(ctx context.Context, review []byte,
	answer func(context.Context, *admissionv1.AdmissionRequest) (*admissionv1.AdmissionResponse, error)) ([]byte, error) {
	asked, cluster, err := readRequest(review)
	if err != nil {
		return nil, err
	}
	response, err := guarded(context.WithValue(ctx, clusterKey{}, cluster), asked, answer)
	if err != nil {
		return nil, &NoVerdictError{err}
	}
	response.UID = asked.UID
	text, err := json.Marshal(admissionv1.AdmissionReview{TypeMeta: reviewType(), Response: response})
	if err != nil {
		return nil, fmt.Errorf("writing the response: %w", err)
	}
	return text, nil
}

type clusterKey struct{}

// ClusterOf returns the objects that are in the cluster beside those of the review, from the context
// of an answer.
func ClusterOf(ctx context.Context) []map[string]any {
	cluster, _ := ctx.Value(clusterKey{}).([]map[string]any)
	return cluster
}

// readRequest returns the request of a review, and the objects in the cluster.
func readRequest(text []byte) (*admissionv1.AdmissionRequest, []map[string]any, error) {
	var review review
	switch err := kjson.UnmarshalCaseSensitivePreserveInts(text, &review); {
	case err != nil:
		return nil, nil, fmt.Errorf("the request is not an AdmissionReview: %w; it begins with %s",
			jsonerrors.Of(err, "the request"), oneline.Beginning(text))
	case review.TypeMeta != reviewType():
		return nil, nil, fmt.Errorf("the request is of apiVersion %q and kind %q; accepted: %s AdmissionReview",
			review.APIVersion, review.Kind, reviewType().APIVersion)
	case review.Request == nil:
		return nil, nil, fmt.Errorf("the AdmissionReview has no request; it begins with %s", oneline.Beginning(text))
	}
	return review.Request, review.Cluster, nil
}

// longest is how long a validator may take; the caller has its own timeout.
const longest = 24 * time.Hour

func ask(ctx context.Context, validator harness.Backend, asked *admissionv1.AdmissionRequest) (*admissionv1.AdmissionResponse, error) {
	if reviewer, ok := validator.(Reviewer); ok {
		return reviewer.Review(ctx, asked), nil
	}
	if strict, ok := validator.(Lenient); ok {
		validator = strict.Lenient()
	}
	in, err := InputOf(asked)
	if err != nil {
		return badRequest(err), nil
	}
	in.Cluster = ClusterOf(ctx)
	outcome := harness.Ask(ctx, validator, in, longest)
	if outcome.Fault != nil {
		return nil, outcome.Fault
	}
	response := ResponseTo(asked, outcome.Errors)
	response.Warnings = outcome.Warnings
	return response, nil
}

// guarded recovers a panic, and returns an error for a nil response.
func guarded(ctx context.Context, asked *admissionv1.AdmissionRequest,
	answer func(context.Context,
		*admissionv1.AdmissionRequest) (*admissionv1.AdmissionResponse, error)) (response *admissionv1.AdmissionResponse, err error) {
	defer contract.Recover(&err)
	response, err = answer(ctx, asked)
	if response == nil && err == nil {
		return nil, errors.New("it gave no response")
	}
	return response, err
}

// InputOf reads the objects of a request, as documents.
func InputOf(asked *admissionv1.AdmissionRequest) (*harness.Input, error) {
	in := &harness.Input{Request: harness.Request{
		Version:     schema.GroupVersionKind(asked.Kind),
		Resource:    schema.GroupVersionResource(asked.Resource),
		Operation:   admissionv1.Operation(asked.Operation),
		Subresource: asked.SubResource,
		Name:        asked.Name,
		Namespace:   asked.Namespace,
	}}
	for _, part := range []struct {
		name string
		raw  runtime.RawExtension
		into **contract.View
	}{{"object", asked.Object, &in.Object}, {"oldObject", asked.OldObject, &in.Old}} {
		var document map[string]any
		if len(part.raw.Raw) == 0 {
			continue
		}
		if err := utiljson.Unmarshal(part.raw.Raw, &document); err != nil {
			return nil, fmt.Errorf("reading %s: %w", part.name, err)
		}
		if document != nil {
			*part.into = contract.NewView(document)
		}
	}
	if in.Object == nil && in.Old == nil {
		return nil, errors.New("the request has no object")
	}
	return in, nil
}

// badRequest denies a request that cannot be decoded, as a controller-runtime webhook does.
func badRequest(why error) *admissionv1.AdmissionResponse {
	return &admissionv1.AdmissionResponse{Result: &metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusBadRequest, Reason: metav1.StatusReasonBadRequest, Message: why.Error(),
	}}
}

// ResponseTo returns the response to a request with these errors; without errors it allows the
// object. The UID is not set. Errors with fields become causes, as apierrors.NewInvalid writes
// them; a lone text becomes the message.
func ResponseTo(asked *admissionv1.AdmissionRequest, errs field.ErrorList) *admissionv1.AdmissionResponse {
	switch {
	case len(errs) == 0:
		return &admissionv1.AdmissionResponse{Allowed: true}
	case len(errs) == 1 && fielderror.IsPanic(errs[0]):
		return panicResponse(errs[0])
	case len(errs) == 1 && verdictOnly(errs[0]):
		return &admissionv1.AdmissionResponse{Result: &metav1.Status{
			Status: metav1.StatusFailure, Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden, Message: errs[0].Detail,
		}}
	}
	kind := schema.GroupKind{Group: asked.Kind.Group, Kind: asked.Kind.Kind}
	status := apierrors.NewInvalid(kind, asked.Name, errs).ErrStatus
	for i, err := range errs {
		if verdictOnly(err) {
			status.Details.Causes[i] = metav1.StatusCause{Message: err.Detail}
		}
	}
	response := &admissionv1.AdmissionResponse{Result: &status}
	if allOfDecoder(errs) {
		response.AuditAnnotations = map[string]string{decodingAnnotation: "true"}
	}
	return response
}
