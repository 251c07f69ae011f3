package structural

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// completeEverywhere checks the junctors of a schema and of all schemas in it.
func (c *checker) completeEverywhere(s *spec.Schema, at *field.Path) {
	c.complete(s, s, at, at)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		c.completeEverywhere(&property, at.Child("properties").Key(name))
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		c.completeEverywhere(s.AdditionalProperties.Schema, at.Child("additionalProperties"))
	}
	if s.Items != nil && s.Items.Schema != nil {
		c.completeEverywhere(s.Items.Schema, at.Child("items"))
	}
}

// complete checks that what the junctors of v speak of is declared by s, the schema
// of the same value outside of all junctors. Nil: it is not declared.
func (c *checker) complete(v, s *spec.Schema, sAt, vAt *field.Path) {
	if v.Not != nil {
		c.completeNested(v.Not, s, sAt, vAt.Child("not"))
	}
	for _, junctor := range []struct {
		name     string
		branches []spec.Schema
	}{{"allOf", v.AllOf}, {"anyOf", v.AnyOf}, {"oneOf", v.OneOf}} {
		for i := range junctor.branches {
			c.completeNested(&junctor.branches[i], s, sAt, vAt.Child(junctor.name).Index(i))
		}
	}
}

func (c *checker) completeNested(v, s *spec.Schema, sAt, vAt *field.Path) {
	if s == nil {
		c.add(field.Required(sAt, "because it is defined in "+vAt.String()))
		return
	}
	c.complete(v, s, sAt, vAt)
	if v.Items != nil && v.Items.Schema != nil {
		var items *spec.Schema
		if s.Items != nil {
			items = s.Items.Schema
		}
		c.completeNested(v.Items.Schema, items, sAt.Child("items"), vAt.Child("items"))
	}
	for _, name := range slices.Sorted(maps.Keys(v.Properties)) {
		property := v.Properties[name]
		var declared *spec.Schema
		if p, found := s.Properties[name]; found {
			declared = &p
		}
		c.completeNested(&property, declared, sAt.Child("properties").Key(name), vAt.Child("properties").Key(name))
	}
}
