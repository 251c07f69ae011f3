package admission

import (
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// decodingAnnotation is the audit annotation, of any value, of a response whose causes are values that the Go type of
// the validator cannot hold. The validator did not see the object then.
const decodingAnnotation = "diffrun/decoding"

// allOfDecoder reports whether a decoder made all errors.
func allOfDecoder(errs field.ErrorList) bool {
	return len(errs) > 0 && !slices.ContainsFunc(errs, func(err *field.Error) bool { return !fielderror.IsDecoding(err) })
}

// markDecoding sets the Origin of the errors of a response if a decoder made them.
func markDecoding(answer *admissionv1.AdmissionResponse, errs field.ErrorList) {
	if _, has := answer.AuditAnnotations[decodingAnnotation]; !has {
		return
	}
	for _, err := range errs {
		if !verdictOnly(err) {
			err.Origin = fielderror.OriginDecoding
		}
	}
}
