package idl

import (
	"maps"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// resolve follows a $ref. The result must not be changed.
func (b *builder) resolve(s *spec.Schema) *spec.Schema {
	if name, ok := refName(s); ok {
		return b.definitions[name]
	}
	return s
}

// inline replaces a $ref by a copy of its definition and keeps the keywords beside it. While the
// definition is still being built, as in a recursive type, the $ref moves into allOf instead.
func (b *builder) inline(node *spec.Schema, name string) {
	var inner spec.Schema
	if b.building[name] {
		inner = typed("object", "")
		inner.AllOf = []spec.Schema{refTo(name)}
	} else {
		inner = *clone(b.definitions[name])
	}
	if node.Default != nil {
		inner.Default = node.Default
	}
	for key, value := range node.Extensions {
		setExtension(&inner, key, value)
	}
	*node = inner
}

// clone copies a schema, but not what its $refs refer to. The values of keywords and extensions
// are shared, because they are never changed in place.
func clone(s *spec.Schema) *spec.Schema {
	c := *s
	c.Extensions = maps.Clone(s.Extensions)
	c.Required = slices.Clone(s.Required)
	c.AllOf = slices.Clone(s.AllOf)
	if s.Properties != nil {
		c.Properties = make(map[string]spec.Schema, len(s.Properties))
		for name, property := range s.Properties {
			c.Properties[name] = *clone(&property)
		}
	}
	if s.Items != nil {
		c.Items = &spec.SchemaOrArray{Schema: clone(s.Items.Schema)}
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		c.AdditionalProperties = &spec.SchemaOrBool{Allows: true, Schema: clone(s.AdditionalProperties.Schema)}
	}
	return &c
}
