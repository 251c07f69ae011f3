package definitions

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// ToPublishedSchema is ToSchema for a schema of an OpenAPI document as an API server publishes it.
// Such a document says with the format int-or-string what a definition says with the extension.
// The value gets the extension in place of the format.
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
