package admission

import (
	"encoding/json"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/casecluster"
)

// accessReviews returns which rights a webhook asked the cluster of its case for. The verdict does not depend on the list, so
// a mistake in it is a warning.
func accessReviews(answer *admissionv1.AdmissionResponse) (all []contract.AccessReview, warnings []string) {
	text, has := answer.AuditAnnotations[casecluster.AccessReviewsAnnotation]
	if !has {
		return nil, nil
	}
	var asked []casecluster.AccessReview
	if err := json.Unmarshal([]byte(text), &asked); err != nil {
		return nil, []string{
			fmt.Sprintf("the audit annotation %s cannot be read (%v), so the rights that the webhook asked for are not known",
				casecluster.AccessReviewsAnnotation, err),
		}
	}
	for _, one := range asked {
		all = append(all, contract.AccessReview{
			User: harness.User{Name: one.User, Groups: one.Groups}, Verb: one.Verb, Group: one.Group, Resource: one.Resource,
			Subresource: one.Subresource, Namespace: one.Namespace, Name: one.Name, Allowed: one.Allowed,
		})
	}
	return all, nil
}
