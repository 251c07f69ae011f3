package definitions

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// ToPublishedSchema is ToSchema for a schema of an OpenAPI document that an API server publishes. Such
// a document has the format int-or-string in place of the extension that definitions have.
func ToPublishedSchema(value any) (*spec.Schema, error) {
	eachSchema(value, nil, func(value any, _ *field.Path) {
		keywords, isObject := value.(map[string]any)
		if !isObject || keywords["format"] != "int-or-string" {
			return
		}
		keywords["x-kubernetes-int-or-string"] = true
		delete(keywords, "format")
		delete(keywords, "type")
	})
	return ToSchema(value)
}
