package target

import (
	"maps"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Schemas are the definitions of a run, and the state of the structs that are being visited.
type Schemas struct {
	Definitions map[string]*spec.Schema
	Building    map[string]bool // definitions whose fields are being visited
	// ForDefinition means that the schemas are those of a CustomResourceDefinition, which
	// controller-tools has made.
	ForDefinition bool
	// Fail records a mistake in a marker, and reports whether it is one.
	Fail    func(at strictyaml.Position, text string, err error) (mistake bool)
	structs map[*spec.Schema]*Struct
}

// NewSchemas returns Schemas without definitions.
func NewSchemas(fail func(at strictyaml.Position, text string, err error) bool) *Schemas {
	return &Schemas{Definitions: map[string]*spec.Schema{}, Building: map[string]bool{}, Fail: fail, structs: map[*spec.Schema]*Struct{}}
}

// RefName returns the name of the definition that a schema refers to.
func RefName(s *spec.Schema) (string, bool) {
	return openapi.DefinitionName(openapi.Ref(s))
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
		inner.AllOf = []spec.Schema{openapi.RefTo(name)}
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

// Clone copies a schema, but not the definitions that its $refs refer to. The values of keywords and
// extensions are shared, because they are never changed in place.
func Clone(s *spec.Schema) *spec.Schema {
	c := openapi.MapChildren(s, func(child openapi.Child) *spec.Schema { return Clone(child.Schema) })
	c.Extensions, c.Required = maps.Clone(s.Extensions), slices.Clone(s.Required)
	return c
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
			SetExtension(&unknown, openapi.XPreserveUnknownFields, true)
			return &unknown
		}
		return s.bare(s.Definitions[name], append(slices.Clone(within), name))
	}
	kept := openapi.MapChildren(&spec.Schema{SchemaProps: spec.SchemaProps{
		Type: node.Type, Nullable: node.Nullable, Default: node.Default,
		Properties: node.Properties, AdditionalProperties: node.AdditionalProperties, Items: node.Items,
	}}, func(child openapi.Child) *spec.Schema { return s.bare(child.Schema, within) })
	for _, key := range []string{openapi.XIntOrString, openapi.XPreserveUnknownFields, openapi.XMapType, openapi.XStripZero} {
		if value, has := node.Extensions[key]; has {
			SetExtension(kept, key, value)
		}
	}
	if slices.Contains([]string{"int32", "int64", "float", "double", "byte", "date-time"}, node.Format) {
		kept.Format = node.Format // of a Go type
	}
	if node.Items != nil {
		SetExtension(kept, openapi.XListType, "atomic")
	}
	return kept
}
