package admission

import (
	admissionv1 "k8s.io/api/admission/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/diffrun/diffrun/harness"
)

// ConvertedAnnotation is the audit annotation with which a mutating webhook may say what other versions of the kind
// return for the object. Its value is a list, as in
// [{"version": "autoscaling/v1", "object": {…}}, {"version": "autoscaling/v2beta1", "why": "…"}],
// where why says that the object cannot be converted.
const ConvertedAnnotation = "diffrun/converted"

// converted returns the documents of the annotation. A list that cannot be read has none: the verdict does not depend
// on it.
func converted(answer *admissionv1.AdmissionResponse) []harness.Converted {
	text, has := answer.AuditAnnotations[ConvertedAnnotation]
	if !has {
		return nil
	}
	var documents []struct {
		Version string         `json:"version"`
		Why     string         `json:"why"`
		Object  map[string]any `json:"object"`
	}
	if utiljson.Unmarshal([]byte(text), &documents) != nil {
		return nil
	}
	var all []harness.Converted
	for _, one := range documents {
		if one.Version != "" && (one.Object == nil) != (one.Why == "") {
			all = append(all, harness.Converted{Version: one.Version, Object: one.Object, Why: one.Why})
		}
	}
	return all
}
