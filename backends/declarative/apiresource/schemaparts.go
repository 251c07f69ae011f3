package apiresource

import (
	"maps"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// structure returns a schema without its value validations: it keeps the types of values, unique
// items, and rules. It also keeps formats, because rules see a date as a date.
func structure(s *spec.Schema) *spec.Schema {
	kept := openapi.MapParts(&spec.Schema{
		VendorExtensible: s.VendorExtensible,
		SchemaProps: spec.SchemaProps{
			Ref: s.Ref, Type: s.Type, Format: s.Format, Nullable: s.Nullable,
			Properties: s.Properties, AdditionalProperties: s.AdditionalProperties,
		},
	}, structure)
	if items := openapi.Items(s); items != nil {
		kept.Items = &spec.SchemaOrArray{Schema: structure(items)}
	}
	for _, branch := range s.AllOf {
		if _, has := branch.Extensions[openapi.XValidations]; has {
			kept.AllOf = append(kept.AllOf, spec.Schema{VendorExtensible: branch.VendorExtensible})
		}
	}
	return kept
}

// hasRules reports whether a schema has a rule anywhere.
func hasRules(s *spec.Schema) bool {
	if _, has := s.Extensions[openapi.XValidations]; has {
		return true
	}
	for child := range openapi.Children(s) {
		if hasRules(child.Schema) {
			return true
		}
	}
	return false
}

// valuesOnly returns a schema that has value validations, no rule, and no embedded resource that
// would be validated as such.
func valuesOnly(s *spec.Schema) *spec.Schema {
	only := openapi.MapChildren(s, func(child openapi.Child) *spec.Schema { return valuesOnly(child.Schema) })
	only.Extensions = maps.Clone(s.Extensions)
	delete(only.Extensions, openapi.XValidations)
	delete(only.Extensions, openapi.XEmbeddedResource)
	return only
}
