package admission

import (
	"encoding/json"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/casecluster"
)

// accessReviews returns which rights a webhook asked the cluster of its case for. A list that cannot be read is empty: the
// verdict does not depend on it.
func accessReviews(answer *admissionv1.AdmissionResponse) (all []harness.AccessReview) {
	var asked []casecluster.AccessReview
	if json.Unmarshal([]byte(answer.AuditAnnotations[casecluster.AccessReviewsAnnotation]), &asked) != nil {
		return nil
	}
	for _, one := range asked {
		all = append(all, harness.AccessReview{
			User: harness.User{Name: one.User, Groups: one.Groups}, Verb: one.Verb, Group: one.Group, Resource: one.Resource,
			Subresource: one.Subresource, Namespace: one.Namespace, Name: one.Name, Allowed: one.Allowed,
		})
	}
	return all
}
