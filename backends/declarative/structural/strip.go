package structural

import (
	"maps"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// Strip gives the skeleton of a structural schema: the same without value validations
// (KEP-2335, "Formal Definition"). What is left says which types and fields there
// are: a value that is valid for the schema is valid for the skeleton. The pattern of
// types below the junctors of int-or-string goes too, as in the proposal's examples.
//
// Rules (x-kubernetes-validations) go as well, though the API server's
// StripValueValidations keeps them. The schema that came in is not changed.
func Strip(schema *spec.Schema) *spec.Schema {
	s := strip(*schema)
	return &s
}

func strip(s spec.Schema) spec.Schema {
	out := spec.Schema{
		SchemaProps: spec.SchemaProps{
			Type: s.Type, Nullable: s.Nullable, Default: s.Default, Title: s.Title, Description: s.Description, Ref: s.Ref,
		},
		SwaggerSchemaProps: s.SwaggerSchemaProps,
	}
	if openapi.Ref(&s) == "" && openapi.Reference(&s) != "" {
		out.AllOf = s.AllOf // how OpenAPI v3 writes a reference with something beside it
	}
	out.Extensions = maps.Clone(s.Extensions)
	delete(out.Extensions, "x-kubernetes-validations")
	delete(out.Extensions, "x-kubernetes-validation-errors")
	delete(out.Extensions, "x-kubernetes-errors")
	if len(s.Properties) > 0 {
		out.Properties = make(map[string]spec.Schema, len(s.Properties))
	}
	for name, property := range s.Properties {
		out.Properties[name] = strip(property)
	}
	if s.Items != nil && s.Items.Schema != nil {
		out.Items = &spec.SchemaOrArray{Schema: Strip(s.Items.Schema)}
	}
	if a := s.AdditionalProperties; a != nil {
		out.AdditionalProperties = &spec.SchemaOrBool{Allows: a.Allows}
		if a.Schema != nil {
			out.AdditionalProperties.Schema = Strip(a.Schema)
		}
	}
	return out
}
