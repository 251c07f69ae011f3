package generate

import (
	"encoding/json"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// Expand returns a schema without references, as the generator needs it. A definition inside of
// itself becomes one that allows anything: objects of it end there.
func Expand(schema *spec.Schema, definitions map[string]*spec.Schema) (*apiextensionsv1.JSONSchemaProps, error) {
	e := expander{definitions: definitions, within: map[*spec.Schema]bool{}}
	data, err := json.Marshal(e.schema(schema))
	if err != nil {
		return nil, err
	}
	props := &apiextensionsv1.JSONSchemaProps{}
	if err := json.Unmarshal(data, props); err != nil {
		return nil, fmt.Errorf("no objects can be made for this schema: %w", err)
	}
	return props, nil
}

type expander struct {
	definitions map[string]*spec.Schema
	within      map[*spec.Schema]bool
}

func (e *expander) schema(s *spec.Schema) *spec.Schema {
	target := e.resolve(s)
	if e.within[target] {
		anything := &spec.Schema{}
		anything.AddExtension(openapi.XPreserveUnknownFields, true)
		return anything
	}
	if target != s {
		e.within[target] = true
		defer delete(e.within, target)
	}
	return openapi.MapParts(target, e.schema)
}

// resolve follows a reference, also one that is written as the only allOf of a schema without
// properties.
func (e *expander) resolve(s *spec.Schema) *spec.Schema {
	for range len(e.definitions) + 1 {
		name, _ := openapi.DefinitionName(openapi.Reference(s))
		target := e.definitions[name]
		if target == nil || len(s.Properties) > 0 {
			return s
		}
		s = target
	}
	return s
}
