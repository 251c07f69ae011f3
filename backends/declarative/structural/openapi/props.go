package openapi

import (
	"encoding/json"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// FromProps converts a schema as it stands in a CustomResourceDefinition. Nothing
// is left out and nothing is added; the places in it stay the same. The error names
// a default, example or enum that is no JSON.
func FromProps(props *apiextensionsv1.JSONSchemaProps) (*spec.Schema, error) {
	if props == nil {
		return nil, fmt.Errorf("there is no schema")
	}
	c := converter{}
	s := c.schema(props)
	if c.err != nil {
		return nil, c.err
	}
	return &s, nil
}

// converter keeps the first mistake, so that the conversion reads as a list.
type converter struct{ err error }

func (c *converter) schema(p *apiextensionsv1.JSONSchemaProps) spec.Schema {
	s := spec.Schema{
		SchemaProps: spec.SchemaProps{
			ID: p.ID, Schema: spec.SchemaURL(p.Schema), Description: p.Description, Nullable: p.Nullable,
			Format: p.Format, Title: p.Title, Default: c.json(p.Default),
			Maximum: p.Maximum, ExclusiveMaximum: p.ExclusiveMaximum,
			Minimum: p.Minimum, ExclusiveMinimum: p.ExclusiveMinimum,
			MaxLength: p.MaxLength, MinLength: p.MinLength, Pattern: p.Pattern,
			MaxItems: p.MaxItems, MinItems: p.MinItems, UniqueItems: p.UniqueItems, MultipleOf: p.MultipleOf,
			MaxProperties: p.MaxProperties, MinProperties: p.MinProperties, Required: p.Required,
			AllOf: c.list(p.AllOf), OneOf: c.list(p.OneOf), AnyOf: c.list(p.AnyOf), Not: c.pointer(p.Not),
			Properties: c.named(p.Properties), PatternProperties: c.named(p.PatternProperties),
			Definitions: c.named(p.Definitions), AdditionalProperties: c.orBool(p.AdditionalProperties),
			AdditionalItems: c.orBool(p.AdditionalItems),
		},
		SwaggerSchemaProps: spec.SwaggerSchemaProps{Example: c.json(p.Example)},
	}
	if p.Type != "" {
		s.Type = spec.StringOrArray{p.Type}
	}
	if p.Ref != nil {
		ref, err := spec.NewRef(*p.Ref)
		c.note(err)
		s.Ref = ref
	}
	for i := range p.Enum {
		s.Enum = append(s.Enum, c.json(&p.Enum[i]))
	}
	if p.Items != nil {
		s.Items = &spec.SchemaOrArray{Schema: c.pointer(p.Items.Schema), Schemas: c.list(p.Items.JSONSchemas)}
	}
	if p.ExternalDocs != nil {
		s.ExternalDocs = &spec.ExternalDocumentation{Description: p.ExternalDocs.Description, URL: p.ExternalDocs.URL}
	}
	for name, d := range p.Dependencies {
		if s.Dependencies == nil {
			s.Dependencies = spec.Dependencies{}
		}
		s.Dependencies[name] = spec.SchemaOrStringArray{Schema: c.pointer(d.Schema), Property: d.Property}
	}
	c.extensions(p, &s)
	return s
}

func (c *converter) extensions(p *apiextensionsv1.JSONSchemaProps, s *spec.Schema) {
	add := func(name string, value any) { s.AddExtension(name, value) }
	if p.XPreserveUnknownFields != nil {
		add(preserveUnknownFields, *p.XPreserveUnknownFields)
	}
	if p.XEmbeddedResource {
		add(embeddedResource, true)
	}
	if p.XIntOrString {
		add(intOrString, true)
	}
	if len(p.XListMapKeys) > 0 {
		keys := make([]any, len(p.XListMapKeys))
		for i, key := range p.XListMapKeys {
			keys[i] = key
		}
		add(listMapKeys, keys)
	}
	if p.XListType != nil {
		add(listType, *p.XListType)
	}
	if p.XMapType != nil {
		add(mapType, *p.XMapType)
	}
	if len(p.XValidations) > 0 {
		data, err := json.Marshal(p.XValidations)
		c.note(err)
		var rules []any
		c.note(utiljson.Unmarshal(data, &rules))
		add(validations, rules)
	}
}

func (c *converter) note(err error) {
	if c.err == nil && err != nil {
		c.err = err
	}
}

func (c *converter) json(raw *apiextensionsv1.JSON) any {
	if raw == nil || len(raw.Raw) == 0 {
		return nil
	}
	var value any
	if err := utiljson.Unmarshal(raw.Raw, &value); err != nil {
		c.note(fmt.Errorf("%s is no JSON: %w", raw.Raw, err))
	}
	return value
}

func (c *converter) pointer(p *apiextensionsv1.JSONSchemaProps) *spec.Schema {
	if p == nil {
		return nil
	}
	s := c.schema(p)
	return &s
}

func (c *converter) list(all []apiextensionsv1.JSONSchemaProps) []spec.Schema {
	var schemas []spec.Schema
	for i := range all {
		schemas = append(schemas, c.schema(&all[i]))
	}
	return schemas
}

func (c *converter) named(all map[string]apiextensionsv1.JSONSchemaProps) map[string]spec.Schema {
	if all == nil {
		return nil
	}
	schemas := make(map[string]spec.Schema, len(all))
	for name, p := range all {
		schemas[name] = c.schema(&p)
	}
	return schemas
}

func (c *converter) orBool(p *apiextensionsv1.JSONSchemaPropsOrBool) *spec.SchemaOrBool {
	if p == nil {
		return nil
	}
	return &spec.SchemaOrBool{Allows: p.Allows, Schema: c.pointer(p.Schema)}
}
