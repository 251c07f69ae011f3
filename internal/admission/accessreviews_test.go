package admission_test

import (
	"reflect"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/admission"
	"github.com/diffrun/diffrun/internal/casecluster"
)

// TestAccessReviews: a decision has the rights that the webhook asked for. A list that cannot be read is a warning.
func TestAccessReviews(t *testing.T) {
	for _, row := range []struct {
		why, annotation, warning string
		want                     []contract.AccessReview
	}{
		{"a list", `[{"user":"alice","groups":["g"],"verb":"get","group":"","resource":"pods","subresource":"log","namespace":"a",` +
			`"name":"b","allowed":true}]`, "",
			[]contract.AccessReview{{User: harness.User{Name: "alice", Groups: []string{"g"}}, Verb: "get", Resource: "pods",
				Subresource: "log", Namespace: "a", Name: "b", Allowed: true}}},
		{"no list", `{}`, "the audit annotation diffrun/access-reviews cannot be read (", nil},
	} {
		for _, allowed := range []bool{true, false} {
			decision := admission.DecisionOf(&admissionv1.AdmissionResponse{
				Allowed:          allowed,
				AuditAnnotations: map[string]string{casecluster.AccessReviewsAnnotation: row.annotation},
			})
			if warning := strings.Join(decision.Warnings, "\n"); !reflect.DeepEqual(decision.AccessReviews, row.want) ||
				(warning == "") != (row.warning == "") || !strings.HasPrefix(warning, row.warning) {
				t.Errorf("%s, allowed %v: %+v, %q", row.why, allowed, decision.AccessReviews, decision.Warnings)
			}
		}
	}
}
