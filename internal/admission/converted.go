package admission

import (
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/diffrun/diffrun/harness/contract"
)

// ConvertedAnnotation is the audit annotation with which a mutating webhook may say what other versions of the kind
// return for the object. Its value is a list, as in
// [{"version": "autoscaling/v1", "object": {…}}, {"version": "autoscaling/v2beta1", "why": "…"}],
// where why says that the object cannot be converted.
const ConvertedAnnotation = "diffrun/converted"

// converted returns the documents of the annotation. The verdict does not depend on it, so a mistake in it is a warning.
func converted(answer *admissionv1.AdmissionResponse) (all []contract.Converted, warnings []string) {
	text, has := answer.AuditAnnotations[ConvertedAnnotation]
	if !has {
		return nil, nil
	}
	wrong := func(what string) string {
		return fmt.Sprintf("the audit annotation %s %s, so conversions are not compared; accepted: a list of versions, "+
			"each with an object or with why", ConvertedAnnotation, what)
	}
	var documents []struct {
		Version string         `json:"version"`
		Why     string         `json:"why"`
		Object  map[string]any `json:"object"`
	}
	if err := utiljson.Unmarshal([]byte(text), &documents); err != nil {
		return nil, []string{wrong(fmt.Sprintf("cannot be read (%v)", err))}
	}
	for n, one := range documents {
		if one.Version == "" || (one.Object == nil) == (one.Why == "") {
			return nil, []string{wrong(fmt.Sprintf("has a mistake in item %d", n))}
		}
		all = append(all, contract.Converted{Version: one.Version, Object: one.Object, Why: one.Why})
	}
	return all, nil
}
