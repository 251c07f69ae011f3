package ineffective

import (
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Kinds of values that keywords are about.
const (
	text   = "string"
	whole  = "integer"
	number = "number"
	list   = "array"
	object = "object"
)

// keyword is one that validates values of some types only.
type keyword struct {
	name  string
	types []string
	set   func(*spec.Schema) bool
	clear func(*spec.Schema)
}

func keywords() []keyword {
	texts, numbers, lists, objects := []string{text}, []string{whole, number}, []string{list}, []string{object}
	return []keyword{
		{"maxLength", texts, func(s *spec.Schema) bool { return s.MaxLength != nil }, func(s *spec.Schema) { s.MaxLength = nil }},
		{"minLength", texts, func(s *spec.Schema) bool { return s.MinLength != nil }, func(s *spec.Schema) { s.MinLength = nil }},
		{"pattern", texts, func(s *spec.Schema) bool { return s.Pattern != "" }, func(s *spec.Schema) { s.Pattern = "" }},
		{"format", slices.Concat(texts, numbers), func(s *spec.Schema) bool { return s.Format != "" }, func(s *spec.Schema) { s.Format = "" }},
		{"maximum", numbers, func(s *spec.Schema) bool { return s.Maximum != nil }, func(s *spec.Schema) { s.Maximum, s.ExclusiveMaximum = nil, false }},
		{"minimum", numbers, func(s *spec.Schema) bool { return s.Minimum != nil }, func(s *spec.Schema) { s.Minimum, s.ExclusiveMinimum = nil, false }},
		{"multipleOf", numbers, func(s *spec.Schema) bool { return s.MultipleOf != nil }, func(s *spec.Schema) { s.MultipleOf = nil }},
		{"maxItems", lists, func(s *spec.Schema) bool { return s.MaxItems != nil }, func(s *spec.Schema) { s.MaxItems = nil }},
		{"minItems", lists, func(s *spec.Schema) bool { return s.MinItems != nil }, func(s *spec.Schema) { s.MinItems = nil }},
		{"uniqueItems", lists, func(s *spec.Schema) bool { return s.UniqueItems }, func(s *spec.Schema) { s.UniqueItems = false }},
		{"items", lists, func(s *spec.Schema) bool { return s.Items != nil }, func(s *spec.Schema) { s.Items = nil }},
		{"maxProperties", objects, func(s *spec.Schema) bool { return s.MaxProperties != nil }, func(s *spec.Schema) { s.MaxProperties = nil }},
		{"minProperties", objects, func(s *spec.Schema) bool { return s.MinProperties != nil }, func(s *spec.Schema) { s.MinProperties = nil }},
		{"required", objects, func(s *spec.Schema) bool { return len(s.Required) > 0 }, func(s *spec.Schema) { s.Required = nil }},
		{"properties", objects, func(s *spec.Schema) bool { return len(s.Properties) > 0 }, func(s *spec.Schema) { s.Properties = nil }},
		{"additionalProperties", objects, func(s *spec.Schema) bool { return s.AdditionalProperties != nil }, func(s *spec.Schema) { s.AdditionalProperties = nil }},
	}
}

// Types gives the types that values of a schema have; none: the schema does not say, or
// refers to another.
func Types(s *spec.Schema) []string {
	if both, _ := s.Extensions["x-kubernetes-int-or-string"].(bool); both {
		return []string{whole, text}
	}
	return s.Type
}

// Keywords gives the keywords of a schema that do nothing for values of some types, and
// the types that each is for. None are inert where the types are not known.
func Keywords(s *spec.Schema, types []string) []Keyword {
	var found []Keyword
	for _, k := range of(s, types) {
		found = append(found, Keyword{k.name, k.types})
	}
	return found
}

// Keyword is a keyword with the types of the values that it validates.
type Keyword struct {
	Name  string
	Types []string
}

func of(s *spec.Schema, types []string) []keyword {
	if len(types) == 0 {
		return nil
	}
	return slices.DeleteFunc(keywords(), func(k keyword) bool {
		return !k.set(s) || slices.ContainsFunc(types, func(typ string) bool { return slices.Contains(k.types, typ) })
	})
}
