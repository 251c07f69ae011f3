package structural

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// foreignKeyword is a keyword of OpenAPI and JSON schema that no structural schema has.
type foreignKeyword struct {
	name string
	// used says that the schema uses it, refused that nobody may store it: some not
	// even where they are empty.
	used, refused bool
}

func foreign(s *spec.Schema) []foreignKeyword {
	return []foreignKeyword{
		{"id", s.ID != "", s.ID != ""},
		// Refused by the conversion to a structural schema alone.
		{"$schema", s.Schema != "", false},
		// "" is refused, and not used: apiextensions-apiserver converts a stored schema that has it. To
		// KEP-2335 it is a reference, and so is "#", which is the same to the library.
		{"$ref", s.Ref.String() != "", openapi.Ref(s) != ""},
		{"patternProperties", len(s.PatternProperties) > 0, len(s.PatternProperties) > 0},
		{"dependencies", len(s.Dependencies) > 0, s.Dependencies != nil},
		{"additionalItems", s.AdditionalItems != nil, s.AdditionalItems != nil},
		{"definitions", len(s.Definitions) > 0, len(s.Definitions) > 0},
	}
}

func (c *checker) unknownKeywords(s *spec.Schema, at *field.Path) {
	for _, keyword := range foreign(s) {
		if keyword.used || keyword.name == "$ref" && keyword.refused && c.completeness == CompleteEverywhere {
			c.add(field.Forbidden(at.Child(keyword.name), keyword.name+" is not supported"))
		}
	}
	if s.Items != nil && len(s.Items.Schemas) > 0 {
		c.add(field.Forbidden(at.Child("items"), "items must be a schema object and not an array"))
	}
	if len(s.Type) > 1 {
		c.add(field.Invalid(at.Child("type"), []string(s.Type), "must be one type"))
	}
}

// inconvertible is the first reason why apiextensions-apiserver cannot make a
// structural schema of s at all, in its words and in the order in which it looks
// (pkg/apiserver/schema/convert.go; of properties in the order of their names, for
// it goes through a map). "": there is none.
func inconvertible(s *spec.Schema) string {
	for _, keyword := range foreign(s) {
		name := keyword.name
		if name == "$schema" {
			name = "schema"
		}
		if keyword.used {
			return fmt.Sprintf("OpenAPIV3Schema '%s' is not supported", name)
		}
	}
	if s.Not != nil {
		if reason := inconvertible(s.Not); reason != "" {
			return reason
		}
	}
	for _, branches := range [][]spec.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range branches {
			if reason := inconvertible(&branches[i]); reason != "" {
				return reason
			}
		}
	}
	if preserve, set := s.Extensions.GetBool("x-kubernetes-preserve-unknown-fields"); set && !preserve {
		return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined"
	}
	if s.Items != nil && len(s.Items.Schemas) > 0 {
		return "OpenAPIV3Schema 'items' must be a schema, but is an array"
	}
	if s.Items != nil && s.Items.Schema != nil {
		if reason := inconvertible(s.Items.Schema); reason != "" {
			return reason
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		if reason := inconvertible(&property); reason != "" {
			return reason
		}
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		return inconvertible(s.AdditionalProperties.Schema)
	}
	return ""
}
