package structural

import (
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// statusRoot checks that nothing at the root of the schema is lost when the status
// subresource is validated against properties[status] alone. It names the first
// keyword, in the order in which the API server's type has them. As there, what is
// written counts although it is empty.
func statusRoot(s *apiextensions.JSONSchemaProps, root *field.Path) field.ErrorList {
	if s.Type != "" && s.Type != "object" && !saysBeforeType(s) {
		return field.ErrorList{field.Invalid(root.Child("type"), s.Type, `only "object" is allowed as the type at the root of the schema if the status subresource is enabled`)}
	}
	for _, keyword := range []struct {
		name string
		used bool
	}{
		{"id", s.ID != ""}, {"$schema", s.Schema != ""}, {"$ref", s.Ref != nil},
		{"nullable", s.Nullable}, {"default", s.Default != nil}, {"enum", s.Enum != nil},
		{"maxProperties", s.MaxProperties != nil}, {"minProperties", s.MinProperties != nil},
		{"allOf", s.AllOf != nil}, {"oneOf", s.OneOf != nil}, {"anyOf", s.AnyOf != nil}, {"not", s.Not != nil},
		{"additionalProperties", s.AdditionalProperties != nil}, {"patternProperties", s.PatternProperties != nil},
		{"dependencies", s.Dependencies != nil}, {"additionalItems", s.AdditionalItems != nil}, {"definitions", s.Definitions != nil},
		{"x-kubernetes-embedded-resource", s.XEmbeddedResource}, {"x-kubernetes-int-or-string", s.XIntOrString},
		{"x-kubernetes-list-map-keys", s.XListMapKeys != nil}, {"x-kubernetes-list-type", s.XListType != nil}, {"x-kubernetes-map-type", s.XMapType != nil},
	} {
		if keyword.used {
			return field.ErrorList{field.Invalid(root, keyword.name, "is not allowed at the root of the schema if the status subresource is enabled")}
		}
	}
	return nil
}

// saysBeforeType says that a keyword is named before the type.
func saysBeforeType(s *apiextensions.JSONSchemaProps) bool {
	return s.ID != "" || s.Schema != "" || s.Ref != nil
}
