package structural

import (
	"maps"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// pattern is the form in which int-or-string has types below a junctor (KEP-2335,
// "IntOrString"). A schema may have both forms.
type pattern struct {
	inAnyOf bool // anyOf: [type: integer, type: string]
	inAllOf bool // allOf: [anyOf: [type: integer, type: string], …]
}

// intOrStringPattern finds the pattern of a schema. As in apiextensions-apiserver it
// is allowed to any schema, not only where x-kubernetes-int-or-string is true.
func intOrStringPattern(s *spec.Schema) pattern {
	return pattern{
		inAnyOf: integerOrString(s.AnyOf),
		inAllOf: len(s.AllOf) > 0 && integerOrString(s.AllOf[0].AnyOf),
	}
}

func integerOrString(anyOf []spec.Schema) bool {
	return len(anyOf) == 2 && saysOnly(&anyOf[0], "integer") && saysOnly(&anyOf[1], "string")
}

// saysOnly reports whether a schema below a junctor has only a type.
func saysOnly(s *spec.Schema, typ string) bool {
	rest := *s
	rest.Type = nil
	if rest.AdditionalProperties != nil && !declaresAdditional(s) {
		rest.AdditionalProperties = nil
	}
	return typeOf(s) == typ && saysNothing(rest)
}

// saysNothing says that a schema is empty, as apiextensions-apiserver finds it when it
// compares two in their structural form: some keywords count although they are empty
// themselves (required, properties, x-kubernetes-list-map-keys and -validations).
func saysNothing(s spec.Schema) bool {
	for _, branches := range []*[]spec.Schema{&s.AllOf, &s.AnyOf, &s.OneOf} {
		if len(*branches) == 0 {
			*branches = nil
		}
	}
	if len(s.Enum) == 0 {
		s.Enum = nil
	}
	if s.Items != nil && s.Items.Schema == nil && len(s.Items.Schemas) == 0 {
		s.Items = nil
	}
	for name, value := range s.Extensions {
		if openapi.KnownExtension(name) && value != nil && value != false {
			return false
		}
	}
	s.Extensions = nil
	// Whoever uses these has been told so.
	s.ID, s.Schema, s.Ref, s.PatternProperties, s.Dependencies, s.AdditionalItems, s.Definitions = "", "", spec.Ref{}, nil, nil, nil, nil
	return reflect.DeepEqual(s, spec.Schema{})
}

// nested checks a schema below a junctor. It may restrict values but not declare structure.
func (c *checker) nested(s *spec.Schema, except pattern, at *field.Path) {
	x, errs := openapi.ReadExtensions(s, at)
	c.errs = append(c.errs, errs...)
	c.unknownKeywords(s, at)
	c.values(s, except, at)
	if s.Items != nil && s.Items.Schema != nil {
		c.nested(s.Items.Schema, pattern{}, at.Child("items"))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		c.nested(&property, pattern{}, at.Child("properties").Key(name))
	}
	for _, keyword := range []struct {
		name string
		used bool
		must string
	}{
		{"type", len(s.Type) > 0, "must be empty"},
		{"additionalProperties", declaresAdditional(s), "must be undefined"},
		{"default", s.Default != nil, "must be undefined"},
		{"title", s.Title != "", "must be empty"},
		{"description", s.Description != "", "must be empty"},
		{"nullable", s.Nullable, "must be false"},
		{"x-kubernetes-preserve-unknown-fields", x.PreserveUnknownFields != nil, "must be false"},
		{"x-kubernetes-embedded-resource", x.EmbeddedResource, "must be false"},
		{"x-kubernetes-int-or-string", x.IntOrString, "must be false"},
		{"x-kubernetes-list-map-keys", len(x.ListMapKeys) > 0, "must be empty"},
		{"x-kubernetes-list-type", x.ListType != nil, "must be undefined"},
		{"x-kubernetes-map-type", x.MapType != nil, "must be undefined"},
		{"x-kubernetes-unions", len(x.Unions) > 0, "must be empty"},
		{"x-kubernetes-validations", len(x.Validations) > 0, "must be empty"},
	} {
		if keyword.used {
			c.add(field.Forbidden(at.Child(keyword.name), keyword.must+" to be structural"))
		}
	}
	if _, found := s.Properties["metadata"]; found {
		c.add(field.Forbidden(at.Child("properties").Key("metadata"), "must not be specified in a nested context"))
	}
}

// declaresAdditional reports whether additionalProperties is a schema or true. False is a
// validation.
func declaresAdditional(s *spec.Schema) bool {
	return s.AdditionalProperties != nil && (s.AdditionalProperties.Schema != nil || s.AdditionalProperties.Allows)
}
