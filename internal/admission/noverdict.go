package admission

import (
	"encoding/json"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/diffrun/diffrun/internal/text/oneline"
)

// NoVerdictError reports that a validator reached no verdict about a request: it panicked, hung or
// failed. An AdmissionReview cannot express that, because a response either allows or denies the
// object, so the answer is a different document, or an HTTP status other than 200.
type NoVerdictError struct{ Err error }

// Error implements error.
func (e *NoVerdictError) Error() string { return "there is no verdict: " + e.Err.Error() }

// Unwrap returns the reason.
func (e *NoVerdictError) Unwrap() error { return e.Err }

// Status returns the answer: a Status (meta/v1) as JSON on one line, which the API server and
// [Request.Errors] treat as a failed webhook.
func (e *NoVerdictError) Status() []byte {
	text, err := json.Marshal(metav1.Status{
		TypeMeta: statusType(), Status: metav1.StatusFailure,
		Code: http.StatusInternalServerError, Reason: metav1.StatusReasonInternalError, Message: e.Error(),
	})
	if err != nil {
		panic(err) // a Status holds only texts and numbers
	}
	return text
}

func statusType() metav1.TypeMeta { return metav1.TypeMeta{APIVersion: "v1", Kind: "Status"} }

// FailureOf returns the message of a Status (meta/v1); of any other text it returns the beginning,
// in quotes.
func FailureOf(answer []byte) string {
	var status metav1.Status
	if err := json.Unmarshal(answer, &status); err != nil || status.TypeMeta != statusType() || status.Message == "" {
		return oneline.Beginning(answer)
	}
	return status.Message
}
