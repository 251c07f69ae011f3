package definitions

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// ToPublishedSchema is ToSchema for a schema of an OpenAPI document that an API server publishes. Such
// a document has the format int-or-string in place of the extension that definitions have.
func ToPublishedSchema(value any) (*spec.Schema, error) {
	eachSchema(value, nil, func(value any, _ *field.Path) {
		keywords, isObject := value.(map[string]any)
		if !isObject || keywords["format"] != "int-or-string" {
			return
		}
		keywords[openapi.XIntOrString] = true
		delete(keywords, "format")
		delete(keywords, "type")
	})
	return ToSchema(value)
}
