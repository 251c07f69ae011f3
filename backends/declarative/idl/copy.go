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

// opaque replaces the schema of a field by one of the same values without the validations of their
// types: what values look like, and nothing of what they have to be.
func (b *builder) opaque(node *spec.Schema) {
	bare := b.bare(node, nil)
	bare.Default = node.Default
	*node = *bare
}

// bare is a schema without validations, in place of each $ref as well. within are the types that it
// stands in; one that has itself is not looked into again.
func (b *builder) bare(s *spec.Schema, within []string) *spec.Schema {
	if name, ok := refName(s); ok {
		if b.building[name] || slices.Contains(within, name) {
			unknown := extended("object", extPreserveUnknown)
			return &unknown
		}
		return b.bare(b.definitions[name], append(slices.Clone(within), name))
	}
	kept := &spec.Schema{SchemaProps: spec.SchemaProps{Type: s.Type, Nullable: s.Nullable, Default: s.Default}}
	for _, key := range []string{extIntOrString, extPreserveUnknown, extMapType, extStripZero} {
		if value, has := s.Extensions[key]; has {
			setExtension(kept, key, value)
		}
	}
	if slices.Contains([]string{"int32", "int64", "float", "double", "byte", "date-time"}, s.Format) {
		kept.Format = s.Format // of a Go type
	}
	for name := range s.Properties {
		property := s.Properties[name]
		if kept.Properties == nil {
			kept.Properties = map[string]spec.Schema{}
		}
		kept.Properties[name] = *b.bare(&property, within)
	}
	if s.Items != nil {
		kept.Items = &spec.SchemaOrArray{Schema: b.bare(s.Items.Schema, within)}
		setExtension(kept, extListType, "atomic")
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		kept.AdditionalProperties = &spec.SchemaOrBool{Allows: true, Schema: b.bare(s.AdditionalProperties.Schema, within)}
	}
	return kept
}
