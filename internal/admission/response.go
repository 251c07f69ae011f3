package admission

import (
	"errors"
	"fmt"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/files/jsonpatch"
	"github.com/diffrun/diffrun/internal/text/jsonerrors"
	"github.com/diffrun/diffrun/internal/text/oneline"
)

// MaxResponse is the largest response, in bytes. An object may have 3 MiB, and an error may quote
// it.
const MaxResponse = 16 << 20

// Decision is the decision of a webhook about a request.
type Decision struct {
	// Errors refuse the object.
	Errors field.ErrorList
	// Warnings are for the user.
	Warnings []string
	// Located are the errors whose places the response has, see PlacesAnnotation.
	Located []contract.Located
	// Converted are the object in other versions, see ConvertedAnnotation.
	Converted []contract.Converted
	// AccessReviews are the rights that the webhook asked the cluster of the case for.
	AccessReviews []contract.AccessReview
	// patch is that of a mutating webhook.
	patch []byte
}

// Errors reads the response of a validating webhook to a request. See Validated.
func (r Request) Errors(response []byte) (field.ErrorList, error) {
	answer, err := r.Validated(response)
	return answer.Errors, err
}

// Validated reads the response of a validating webhook to a request. As the API server requires,
// the response must be an AdmissionReview of admission.k8s.io/v1 with the UID of the request and
// without a patch. The error describes what is wrong with the response, so it is a fault of the
// webhook.
func (r Request) Validated(response []byte) (Decision, error) {
	answer, err := r.answer(response)
	if err == nil && (len(answer.Patch) > 0 || answer.PatchType != nil) {
		return Decision{}, errors.New("the response has a patch, which a validating webhook must not return; name the path of " +
			"the validating webhook, not of the mutating one")
	}
	if err != nil {
		return Decision{}, err
	}
	return DecisionOf(answer), nil
}

// Mutated reads the response of a mutating webhook to a request. See Validated.
func (r Request) Mutated(response []byte) (Decision, error) {
	answer, err := r.answer(response)
	switch {
	case err != nil:
	case len(answer.Patch) > 0 && answer.PatchType == nil:
		return Decision{}, errors.New("the response has a patch and no patchType; write patchType: JSONPatch")
	case len(answer.Patch) == 0 && answer.PatchType != nil:
		return Decision{}, fmt.Errorf("the response has the patchType %q and no patch", *answer.PatchType)
	case answer.PatchType != nil && *answer.PatchType != admissionv1.PatchTypeJSONPatch:
		return Decision{}, fmt.Errorf("the response has a patch of type %q; accepted: %s", *answer.PatchType,
			admissionv1.PatchTypeJSONPatch)
	}
	if err != nil {
		return Decision{}, err
	}
	return DecisionOf(answer), nil
}

// Apply applies the patch of a mutating webhook to a copy of its input's object; nil if there is no
// patch. The error is a fault of the webhook.
func (d Decision) Apply(in *harness.Input) (map[string]any, error) {
	if len(d.patch) == 0 {
		return nil, nil
	}
	patch, err := jsonpatch.Read(d.patch)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the patch of the response %w; it begins with %s", err, oneline.Beginning(d.patch))
	case len(patch) == 0:
		return nil, nil
	case in.Object == nil:
		return nil, fmt.Errorf("the response has a patch, and a %s has no object to change", in.Operation)
	}
	object, err := in.Object.Unstructured()
	if err != nil {
		return nil, err
	}
	mutated, err := patch.Apply(object)
	if err != nil {
		return nil, fmt.Errorf("the patch of the response %w; it begins with %s", err, oneline.Beginning(d.patch))
	}
	return mutated, nil
}

// answer reads the response to the request.
func (r Request) answer(response []byte) (*admissionv1.AdmissionResponse, error) {
	review, err := readReview(response)
	if wrong := (*wrongCaseError)(nil); errors.As(err, &wrong) {
		return nil, wrong
	}
	if err != nil {
		return nil, fmt.Errorf("the response is not an AdmissionReview: %w; it begins with %s", jsonerrors.Of(err, "the response"),
			oneline.Beginning(response))
	}
	if review.TypeMeta == statusType() {
		return nil, fmt.Errorf("the response is a Status, not an AdmissionReview: the validator failed: %s", FailureOf(response))
	}
	if review.TypeMeta != reviewType() {
		return nil, fmt.Errorf("the response is of apiVersion %q and kind %q; accepted: %s AdmissionReview; it begins with %s",
			review.APIVersion, review.Kind, reviewType().APIVersion, oneline.Beginning(response))
	}
	switch answer := review.Response; {
	case answer == nil:
		return nil, fmt.Errorf("the AdmissionReview has no response; it begins with %s", oneline.Beginning(response))
	case answer.UID != r.UID:
		return nil, &OtherRequestError{UID: answer.UID, Want: r.UID}
	default:
		return answer, nil
	}
}

// DecisionOf reads a response. As in the API server, a response that does not allow the object
// denies it, whatever the code of its status is
// (k8s.io/apiserver/pkg/admission/plugin/webhook/errors, ToStatusErr). The patch of a denial is not
// applied.
func DecisionOf(answer *admissionv1.AdmissionResponse) Decision {
	reviews, mistakes := accessReviews(answer)
	decision := Decision{Warnings: slices.Concat(answer.Warnings, mistakes), AccessReviews: reviews}
	if !answer.Allowed {
		decision.Errors, decision.Located = StatusErrors(answer.Result), located(answer)
		decision.PanickedAt(answer.AuditAnnotations[PanicAnnotation])
		markDecoding(answer, decision.Errors)
		return decision
	}
	decision.Converted, mistakes = converted(answer)
	decision.Warnings, decision.patch = append(decision.Warnings, mistakes...), answer.Patch
	return decision
}

// OtherRequestError reports a response to a different request.
type OtherRequestError struct {
	// UID is that of the response, Want that of the request.
	UID, Want types.UID
}

// Error names both.
func (e *OtherRequestError) Error() string {
	return fmt.Sprintf("the response has the uid %q; the request had %q", e.UID, e.Want)
}

// StatusErrors returns the errors of a status that refuses an object. There is at least one, even
// for a nil status.
func StatusErrors(status *metav1.Status) field.ErrorList {
	if status == nil {
		return denial("", OriginDenied)
	}
	if RecoveredPanic(status) {
		return field.ErrorList{fielderror.Panic(status.Message, "")}
	}
	if errs := causes(status.Details); len(errs) > 0 {
		return errs
	}
	switch said := status.Message; {
	case said != "":
		return MessageErrors(said)
	case status.Reason != "" && !knownReason(status.Reason):
		return MessageErrors(string(status.Reason))
	}
	return denial("", OriginDenied)
}

// knownReason reports whether a reason is one of apimachinery's, and not a text for people, which
// older releases of controller-runtime put there.
func knownReason(reason metav1.StatusReason) bool {
	switch reason {
	case metav1.StatusReasonUnauthorized, metav1.StatusReasonForbidden, metav1.StatusReasonNotFound, metav1.StatusReasonAlreadyExists,
		metav1.StatusReasonConflict, metav1.StatusReasonGone, metav1.StatusReasonInvalid, metav1.StatusReasonServerTimeout,
		metav1.StatusReasonStoreReadError, metav1.StatusReasonTimeout, metav1.StatusReasonTooManyRequests, metav1.StatusReasonBadRequest,
		metav1.StatusReasonMethodNotAllowed, metav1.StatusReasonNotAcceptable, metav1.StatusReasonRequestEntityTooLarge,
		metav1.StatusReasonUnsupportedMediaType, metav1.StatusReasonInternalError, metav1.StatusReasonExpired,
		metav1.StatusReasonServiceUnavailable:
		return true
	}
	return false
}

// The Origins of the single error for a refusal whose text names no field, and for one without a
// text.
const (
	OriginText   = fielderror.OriginText
	OriginDenied = fielderror.OriginDenied
)

// verdictOnly reports whether an error only states that the object was refused, not where and why,
// so that only the verdict can be compared.
func verdictOnly(err *field.Error) bool {
	return err.Origin == OriginText || err.Origin == OriginDenied
}

// denial returns the error of a validator that names no field.
func denial(said, origin string) field.ErrorList {
	return field.ErrorList{{Type: field.ErrorTypeInvalid, BadValue: field.OmitValueType{}, Detail: said, Origin: origin}}
}
