package structural

import (
	"maps"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// Strip returns the skeleton of a structural schema: the same without value validations
// (KEP-2335, "Formal Definition"). It says which types and fields there are, so a value that is
// valid for the schema is valid for the skeleton. The types below the junctors of int-or-string are
// removed too, as in the proposal's examples.
//
// Rules (x-kubernetes-validations) are removed as well, although the API server's
// StripValueValidations keeps them. The schema is not changed.
func Strip(s *spec.Schema) *spec.Schema {
	skeleton := &spec.Schema{
		SchemaProps: spec.SchemaProps{
			Type: s.Type, Nullable: s.Nullable, Default: s.Default, Title: s.Title, Description: s.Description, Ref: s.Ref,
			Properties: s.Properties, AdditionalProperties: s.AdditionalProperties,
		},
		SwaggerSchemaProps: s.SwaggerSchemaProps,
	}
	if items := openapi.Items(s); items != nil {
		skeleton.Items = &spec.SchemaOrArray{Schema: items}
	}
	skeleton.Extensions = maps.Clone(s.Extensions)
	for _, name := range []string{openapi.XValidations, "x-kubernetes-validation-errors", "x-kubernetes-errors"} {
		delete(skeleton.Extensions, name)
	}
	skeleton = openapi.MapParts(skeleton, Strip)
	if openapi.Ref(s) == "" && openapi.Reference(s) != "" {
		skeleton.AllOf = s.AllOf // OpenAPI v3 writes a reference beside other keywords so
	}
	return skeleton
}
