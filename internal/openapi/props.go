package openapi

import (
	"encoding/json"
	"fmt"
	"net/url"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// FromProps converts a schema of a CustomResourceDefinition. Nothing is left out and nothing is
// added; places in it stay the same. The error names a default, example or enum that is not JSON.
func FromProps(props *apiextensionsv1.JSONSchemaProps) (*spec.Schema, error) {
	if props == nil {
		return nil, fmt.Errorf("there is no schema")
	}
	c := converter{}
	s := &spec.Schema{}
	c.fill(s, props)
	if c.err != nil {
		return nil, c.err
	}
	return s, nil
}

// converter keeps the first error, so that the conversion reads as a list.
type converter struct{ err error }

// fill sets an empty schema to p. Both are large, so neither is copied.
func (c *converter) fill(s *spec.Schema, p *apiextensionsv1.JSONSchemaProps) {
	s.ID, s.Schema, s.Description, s.Title = p.ID, spec.SchemaURL(p.Schema), p.Description, p.Title
	s.Nullable, s.Format, s.Default, s.Example = p.Nullable, p.Format, c.json(p.Default), c.json(p.Example)
	s.Maximum, s.ExclusiveMaximum, s.Minimum, s.ExclusiveMinimum = p.Maximum, p.ExclusiveMaximum, p.Minimum, p.ExclusiveMinimum
	s.MaxLength, s.MinLength, s.Pattern, s.MultipleOf = p.MaxLength, p.MinLength, p.Pattern, p.MultipleOf
	s.MaxItems, s.MinItems, s.UniqueItems = p.MaxItems, p.MinItems, p.UniqueItems
	s.MaxProperties, s.MinProperties, s.Required = p.MaxProperties, p.MinProperties, p.Required
	s.AllOf, s.OneOf, s.AnyOf, s.Not = c.list(p.AllOf), c.list(p.OneOf), c.list(p.AnyOf), c.pointer(p.Not)
	s.Properties, s.PatternProperties, s.Definitions = c.named(p.Properties), c.named(p.PatternProperties), c.named(p.Definitions)
	s.AdditionalProperties, s.AdditionalItems = c.orBool(p.AdditionalProperties), c.orBool(p.AdditionalItems)
	if p.Type != "" {
		s.Type = spec.StringOrArray{p.Type}
	}
	if p.Ref != nil {
		ref, err := spec.NewRef(*p.Ref)
		// kept as a reference without a target, which is reported where it is followed
		if err != nil || *p.Ref != "" && ref.String() == "" {
			ref, err = spec.NewRef("#/" + url.PathEscape(*p.Ref))
		}
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
	if p.Dependencies != nil {
		s.Dependencies = spec.Dependencies{}
	}
	for name, d := range p.Dependencies {
		s.Dependencies[name] = spec.SchemaOrStringArray{Schema: c.pointer(d.Schema), Property: d.Property}
	}
	c.extensions(p, s)
}

func (c *converter) extensions(p *apiextensionsv1.JSONSchemaProps, s *spec.Schema) {
	add := func(name string, value any) { s.AddExtension(name, value) }
	if p.XPreserveUnknownFields != nil {
		add(XPreserveUnknownFields, *p.XPreserveUnknownFields)
	}
	if p.XEmbeddedResource {
		add(XEmbeddedResource, true)
	}
	if p.XIntOrString {
		add(XIntOrString, true)
	}
	if p.XListMapKeys != nil {
		keys := make([]any, len(p.XListMapKeys))
		for i, key := range p.XListMapKeys {
			keys[i] = key
		}
		add(XListMapKeys, keys)
	}
	if p.XListType != nil {
		add(XListType, *p.XListType)
	}
	if p.XMapType != nil {
		add(XMapType, *p.XMapType)
	}
	if p.XValidations != nil {
		data, err := json.Marshal(p.XValidations)
		c.note(err)
		var rules []any
		c.note(utiljson.Unmarshal(data, &rules))
		add(XValidations, rules)
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
	if text, ok := plainText(raw.Raw); ok {
		return text
	}
	var value any
	if err := utiljson.Unmarshal(raw.Raw, &value); err != nil {
		c.note(fmt.Errorf("%s is not JSON: %w", raw.Raw, err))
	}
	return value
}

// plainText reads a JSON string without escapes, which most values of enums are.
func plainText(raw []byte) (string, bool) {
	last := len(raw) - 1
	if last < 1 || raw[0] != '"' || raw[last] != '"' {
		return "", false
	}
	for _, b := range raw[1:last] {
		if b < ' ' || b > '~' || b == '"' || b == '\\' {
			return "", false
		}
	}
	return string(raw[1:last]), true
}

func (c *converter) pointer(p *apiextensionsv1.JSONSchemaProps) *spec.Schema {
	if p == nil {
		return nil
	}
	s := &spec.Schema{}
	c.fill(s, p)
	return s
}

func (c *converter) list(all []apiextensionsv1.JSONSchemaProps) []spec.Schema {
	if len(all) == 0 {
		return nil
	}
	schemas := make([]spec.Schema, len(all))
	for i := range all {
		c.fill(&schemas[i], &all[i])
	}
	return schemas
}

func (c *converter) named(all map[string]apiextensionsv1.JSONSchemaProps) map[string]spec.Schema {
	if all == nil {
		return nil
	}
	schemas := make(map[string]spec.Schema, len(all))
	var room struct { // used again for each
		from apiextensionsv1.JSONSchemaProps
		to   spec.Schema
	}
	for name := range all {
		room.from, room.to = all[name], spec.Schema{}
		c.fill(&room.to, &room.from)
		schemas[name] = room.to
	}
	return schemas
}

func (c *converter) orBool(p *apiextensionsv1.JSONSchemaPropsOrBool) *spec.SchemaOrBool {
	if p == nil {
		return nil
	}
	return &spec.SchemaOrBool{Allows: p.Allows, Schema: c.pointer(p.Schema)}
}
