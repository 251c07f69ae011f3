package diff

import (
	"encoding/json"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/schema/proof"
)

// expand returns a schema without references, because the generator does not support them. Inside
// itself, a recursive definition becomes a schema that allows anything, so objects end there.
func expand(side Side) (*apiextensionsv1.JSONSchemaProps, error) {
	e := expander{definitions: side.Definitions, within: map[*spec.Schema]bool{}}
	expanded := e.schema(side.Schema)
	data, err := json.Marshal(expanded)
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
	target := proof.Resolve(s, e.definitions)
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
