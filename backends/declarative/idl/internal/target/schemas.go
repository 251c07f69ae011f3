package target

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// Schemas are the definitions of a run, and the state of the structs that are being visited.
type Schemas struct {
	Definitions map[string]*spec.Schema
	Building    map[string]bool // definitions whose fields are being visited
	// ForDefinition means that the schemas are those of a CustomResourceDefinition, which
	// controller-tools has made.
	ForDefinition bool
	// Fail reports what is wrong with a marker, and reports whether that is a mistake.
	Fail    func(at strictyaml.Position, text string, err error) (mistake bool)
	structs map[*spec.Schema]*Struct
}

// NewSchemas returns Schemas without definitions.
func NewSchemas(fail func(at strictyaml.Position, text string, err error) bool) *Schemas {
	return &Schemas{Definitions: map[string]*spec.Schema{}, Building: map[string]bool{}, Fail: fail, structs: map[*spec.Schema]*Struct{}}
}

const refPrefix = "#/definitions/"

// RefName returns the name of the definition that a schema refers to.
func RefName(s *spec.Schema) (string, bool) {
	return strings.CutPrefix(s.Ref.String(), refPrefix)
}

// RefTo returns a reference to a definition.
func RefTo(name string) spec.Schema {
	return spec.Schema{SchemaProps: spec.SchemaProps{Ref: spec.MustCreateRef(refPrefix + name)}}
}

// Resolve follows a $ref. The result must not be changed.
func (s *Schemas) Resolve(node *spec.Schema) *spec.Schema {
	if name, ok := RefName(node); ok {
		return s.Definitions[name]
	}
	return node
}

// Inline replaces a $ref by a copy of its definition and keeps the keywords beside it. While the
// definition is still being built, as in a recursive type, the $ref moves into allOf instead.
func (s *Schemas) Inline(node *spec.Schema, name string) {
	var inner spec.Schema
	if s.Building[name] {
		inner = spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"object"}}}
		inner.AllOf = []spec.Schema{RefTo(name)}
	} else {
		inner = *Clone(s.Definitions[name])
	}
	if node.Default != nil {
		inner.Default = node.Default
	}
	for key, value := range node.Extensions {
		SetExtension(&inner, key, value)
	}
	*node = inner
}

// Clone copies a schema. It does not copy the definitions that its $refs refer to. The values of keywords and extensions
// are shared, because they are never changed in place.
func Clone(s *spec.Schema) *spec.Schema {
	c := *s
	c.Extensions = maps.Clone(s.Extensions)
	c.Required = slices.Clone(s.Required)
	c.AllOf = slices.Clone(s.AllOf)
	if s.Properties != nil {
		c.Properties = make(map[string]spec.Schema, len(s.Properties))
		for name, property := range s.Properties {
			c.Properties[name] = *Clone(&property)
		}
	}
	if s.Items != nil {
		c.Items = &spec.SchemaOrArray{Schema: Clone(s.Items.Schema)}
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		c.AdditionalProperties = &spec.SchemaOrBool{Allows: true, Schema: Clone(s.AdditionalProperties.Schema)}
	}
	return &c
}

// Opaque removes the validations from the schema of a field and from its definitions, and keeps the
// structure.
func (s *Schemas) Opaque(node *spec.Schema) {
	bare := s.bare(node, nil)
	bare.Default = node.Default
	*node = *bare
}

// bare returns a copy of a schema without validations and without $refs. within are the definitions
// around it; a recursive one is cut.
func (s *Schemas) bare(node *spec.Schema, within []string) *spec.Schema {
	if name, ok := RefName(node); ok {
		if s.Building[name] || slices.Contains(within, name) {
			unknown := spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"object"}}}
			SetExtension(&unknown, ExtPreserveUnknown, true)
			return &unknown
		}
		return s.bare(s.Definitions[name], append(slices.Clone(within), name))
	}
	kept := &spec.Schema{SchemaProps: spec.SchemaProps{Type: node.Type, Nullable: node.Nullable, Default: node.Default}}
	for _, key := range []string{ExtIntOrString, ExtPreserveUnknown, ExtMapType, ExtStripZero} {
		if value, has := node.Extensions[key]; has {
			SetExtension(kept, key, value)
		}
	}
	if slices.Contains([]string{"int32", "int64", "float", "double", "byte", "date-time"}, node.Format) {
		kept.Format = node.Format // of a Go type
	}
	for name := range node.Properties {
		property := node.Properties[name]
		if kept.Properties == nil {
			kept.Properties = map[string]spec.Schema{}
		}
		kept.Properties[name] = *s.bare(&property, within)
	}
	if node.Items != nil {
		kept.Items = &spec.SchemaOrArray{Schema: s.bare(node.Items.Schema, within)}
		SetExtension(kept, ExtListType, "atomic")
	}
	if node.AdditionalProperties != nil && node.AdditionalProperties.Schema != nil {
		kept.AdditionalProperties = &spec.SchemaOrBool{Allows: true, Schema: s.bare(node.AdditionalProperties.Schema, within)}
	}
	return kept
}
