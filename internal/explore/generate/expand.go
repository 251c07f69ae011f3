package generate

import (
	"encoding/json"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// Expand returns a schema without references, as the generator needs it (openapi.Inline).
func Expand(schema *spec.Schema, definitions map[string]*spec.Schema) (*apiextensionsv1.JSONSchemaProps, error) {
	data, err := json.Marshal(openapi.Inline(schema, definitions))
	if err != nil {
		return nil, err
	}
	props := &apiextensionsv1.JSONSchemaProps{}
	if err := json.Unmarshal(data, props); err != nil {
		return nil, fmt.Errorf("no objects can be made for this schema: %w", err)
	}
	return props, nil
}
