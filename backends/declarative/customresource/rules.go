package customresource

import (
	"maps"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// The keywords that an update of the status does not apply to the whole object:
// it has rules and lists of unique items checked in all of it, values only in the
// status.
const (
	rulesKeyword    = "x-kubernetes-validations"
	listTypeKeyword = "x-kubernetes-list-type"
	embeddedKeyword = "x-kubernetes-embedded-resource"
)

// structure gives a schema without its value validations: what is left says which
// types values have, which items are unique, and which rules hold. Formats stay, as
// rules see a date as a date.
func structure(s spec.Schema) spec.Schema {
	kept := spec.Schema{
		VendorExtensible: s.VendorExtensible,
		SchemaProps: spec.SchemaProps{
			Ref: s.Ref, Type: s.Type, Format: s.Format, Nullable: s.Nullable,
			Properties: each(s.Properties, structure),
		},
	}
	for _, branch := range s.AllOf {
		if _, has := branch.Extensions[rulesKeyword]; has {
			kept.AllOf = append(kept.AllOf, spec.Schema{VendorExtensible: branch.VendorExtensible})
		}
	}
	if s.Items != nil && s.Items.Schema != nil {
		items := structure(*s.Items.Schema)
		kept.Items = &spec.SchemaOrArray{Schema: &items}
	}
	if s.AdditionalProperties != nil {
		kept.AdditionalProperties = &spec.SchemaOrBool{Allows: s.AdditionalProperties.Allows}
		if s.AdditionalProperties.Schema != nil {
			additional := structure(*s.AdditionalProperties.Schema)
			kept.AdditionalProperties.Schema = &additional
		}
	}
	return kept
}

// hasRules says whether a schema has a rule anywhere.
func hasRules(s spec.Schema) bool {
	if _, has := s.Extensions[rulesKeyword]; has {
		return true
	}
	found := false
	look := func(part spec.Schema) spec.Schema {
		found = found || hasRules(part)
		return part
	}
	each(s.Properties, look)
	for _, branch := range s.AllOf {
		look(branch)
	}
	if s.Items != nil && s.Items.Schema != nil {
		look(*s.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		look(*s.AdditionalProperties.Schema)
	}
	return found
}

// valuesOnly gives a schema that has value validations, no rule, and no embedded
// resource that would be validated as such.
func valuesOnly(s spec.Schema) spec.Schema {
	s.Extensions = maps.Clone(s.Extensions)
	delete(s.Extensions, rulesKeyword)
	delete(s.Extensions, embeddedKeyword)
	s.Properties = each(s.Properties, valuesOnly)
	for _, branches := range []*[]spec.Schema{&s.AllOf, &s.AnyOf, &s.OneOf} {
		*branches = slices.Clone(*branches)
		for i, branch := range *branches {
			(*branches)[i] = valuesOnly(branch)
		}
	}
	if s.Not != nil {
		not := valuesOnly(*s.Not)
		s.Not = &not
	}
	if s.Items != nil && s.Items.Schema != nil {
		items := valuesOnly(*s.Items.Schema)
		s.Items = &spec.SchemaOrArray{Schema: &items}
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		additional := valuesOnly(*s.AdditionalProperties.Schema)
		s.AdditionalProperties = &spec.SchemaOrBool{Allows: s.AdditionalProperties.Allows, Schema: &additional}
	}
	return s
}

func each(schemas map[string]spec.Schema, of func(spec.Schema) spec.Schema) map[string]spec.Schema {
	if schemas == nil {
		return nil
	}
	made := make(map[string]spec.Schema, len(schemas))
	for name, s := range schemas {
		made[name] = of(s)
	}
	return made
}
