package admission

import (
	"encoding/json"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/diffrun/diffrun/harness/contract"
)

// PlacesAnnotation is the audit annotation with which a validator may say which functions made its errors. Its value
// is a list, as in [{"cause": 0, "place": "ValidatePodSpec", "position": "pkg/apis/core/validation/validation.go:4321"}],
// where cause is the index of an error in status.details.causes.
const PlacesAnnotation = "diffrun/places"

// located returns the errors of a response whose places it has. A list that cannot be read locates nothing: the
// verdict does not depend on it.
func located(answer *admissionv1.AdmissionResponse) []contract.Located {
	text, has := answer.AuditAnnotations[PlacesAnnotation]
	if !has || answer.Result == nil || answer.Result.Details == nil {
		return nil
	}
	var places []struct {
		Cause           int
		Place, Position string
	}
	if json.Unmarshal([]byte(text), &places) != nil {
		return nil
	}
	var all []contract.Located
	causes := answer.Result.Details.Causes
	for _, one := range places {
		if one.Cause < 0 || one.Cause >= len(causes) || one.Place == "" {
			continue
		}
		for _, err := range causeErrors(causes[one.Cause]) {
			all = append(all, contract.Located{Error: err, Declared: []string{one.Place}, Position: one.Position})
		}
	}
	return all
}
