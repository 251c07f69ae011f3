package openapi

import (
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Keyword is a keyword of OpenAPI that validates values, with access to its value.
type Keyword struct {
	Name string
	// Types are the types of the values that the keyword validates; nil: all.
	Types []string
	// Number and Size return the value of a bound. At most one is set. Exclusive is set together with
	// Number, and reports whether the bound itself is excluded.
	Number    func(*spec.Schema) **float64
	Size      func(*spec.Schema) **int64
	Exclusive func(*spec.Schema) bool
	// Value returns the value of the keyword, or nil if a schema does not have it.
	Value func(*spec.Schema) any
	// Copy sets the keyword of one schema to that of another one, together with the keywords that
	// depend on it: exclusiveMaximum belongs to maximum.
	Copy func(to, from *spec.Schema)
}

// Has reports whether a schema has the keyword.
func (k Keyword) Has(s *spec.Schema) bool { return k.Value(s) != nil }

// Clear removes the keyword from a schema.
func (k Keyword) Clear(s *spec.Schema) { k.Copy(s, &spec.Schema{}) }

// Validates reports whether the keyword validates values of one of some types. Without types
// every keyword does.
func (k Keyword) Validates(types []string) bool {
	return k.Types == nil || len(types) == 0 || slices.ContainsFunc(types, func(typ string) bool { return slices.Contains(k.Types, typ) })
}

// Keywords returns the keywords that validate values, apart from type and nullable.
func Keywords() []Keyword { return slices.Clone(keywords) }

// KeywordNamed returns the keyword of a name. The exclusive bounds are part of their bounds.
func KeywordNamed(name string) (Keyword, bool) {
	switch name {
	case "exclusiveMinimum":
		name = "minimum"
	case "exclusiveMaximum":
		name = "maximum"
	}
	i := slices.IndexFunc(keywords, func(k Keyword) bool { return k.Name == name })
	if i < 0 {
		return Keyword{}, false
	}
	return keywords[i], true
}

// HoldsSchemas reports whether the value of the keyword is one or several schemas.
func (k Keyword) HoldsSchemas() bool {
	switch k.Name {
	case "properties", "additionalProperties", "items":
		return true
	}
	return Child{Keyword: k.Name}.IsBranch()
}

// HasKeyword reports whether a schema has a keyword that validates values.
func HasKeyword(s *spec.Schema, name string) bool {
	k, known := KeywordNamed(name)
	return known && k.Has(s)
}

var (
	texts   = []string{"string"}
	numbers = []string{"integer", "number"}
	lists   = []string{"array"}
	objects = []string{"object"}
)

var keywords = []Keyword{
	size("maxLength", texts, func(s *spec.Schema) **int64 { return &s.MaxLength }),
	size("minLength", texts, func(s *spec.Schema) **int64 { return &s.MinLength }),
	other("pattern", texts, func(s *spec.Schema) *string { return &s.Pattern }),
	other("format", slices.Concat(texts, numbers), func(s *spec.Schema) *string { return &s.Format }),
	bound("maximum", func(s *spec.Schema) (**float64, *bool) { return &s.Maximum, &s.ExclusiveMaximum }),
	bound("minimum", func(s *spec.Schema) (**float64, *bool) { return &s.Minimum, &s.ExclusiveMinimum }),
	bound("multipleOf", func(s *spec.Schema) (**float64, *bool) { return &s.MultipleOf, new(bool) }),
	size("maxItems", lists, func(s *spec.Schema) **int64 { return &s.MaxItems }),
	size("minItems", lists, func(s *spec.Schema) **int64 { return &s.MinItems }),
	other("uniqueItems", lists, func(s *spec.Schema) *bool { return &s.UniqueItems }),
	other("items", lists, func(s *spec.Schema) **spec.SchemaOrArray { return &s.Items }),
	size("maxProperties", objects, func(s *spec.Schema) **int64 { return &s.MaxProperties }),
	size("minProperties", objects, func(s *spec.Schema) **int64 { return &s.MinProperties }),
	list("required", objects, func(s *spec.Schema) *[]string { return &s.Required }),
	{
		Name: "properties", Types: objects, Value: func(s *spec.Schema) any {
			if len(s.Properties) == 0 {
				return nil
			}
			return s.Properties
		},
		Copy: func(to, from *spec.Schema) { to.Properties = from.Properties },
	},
	other("additionalProperties", objects, func(s *spec.Schema) **spec.SchemaOrBool { return &s.AdditionalProperties }),
	list("enum", nil, func(s *spec.Schema) *[]any { return &s.Enum }),
	list("allOf", nil, func(s *spec.Schema) *[]spec.Schema { return &s.AllOf }),
	list("anyOf", nil, func(s *spec.Schema) *[]spec.Schema { return &s.AnyOf }),
	list("oneOf", nil, func(s *spec.Schema) *[]spec.Schema { return &s.OneOf }),
	other("not", nil, func(s *spec.Schema) **spec.Schema { return &s.Not }),
}

// size is a keyword about a number of characters, items or fields.
func size(name string, types []string, of func(*spec.Schema) **int64) Keyword {
	k := other(name, types, of)
	k.Size = of
	return k
}

// bound is a keyword about a number, with the flag that excludes the bound itself.
func bound(name string, of func(*spec.Schema) (value **float64, exclusive *bool)) Keyword {
	number := func(s *spec.Schema) **float64 { value, _ := of(s); return value }
	k := other(name, numbers, number)
	k.Number = number
	k.Exclusive = func(s *spec.Schema) bool { _, exclusive := of(s); return *exclusive }
	k.Copy = func(to, from *spec.Schema) {
		toValue, toExclusive := of(to)
		fromValue, fromExclusive := of(from)
		*toValue, *toExclusive = *fromValue, *fromExclusive
	}
	return k
}

func list[T any](name string, types []string, of func(*spec.Schema) *[]T) Keyword {
	return Keyword{
		Name: name, Types: types, Value: func(s *spec.Schema) any {
			if len(*of(s)) == 0 {
				return nil
			}
			return *of(s)
		},
		Copy: func(to, from *spec.Schema) { *of(to) = *of(from) },
	}
}

// other is a keyword that a schema lacks when its value is the zero value.
func other[T comparable](name string, types []string, of func(*spec.Schema) *T) Keyword {
	return Keyword{
		Name: name, Types: types, Value: func(s *spec.Schema) any {
			var zero T
			if *of(s) == zero {
				return nil
			}
			return *of(s)
		},
		Copy: func(to, from *spec.Schema) { *of(to) = *of(from) },
	}
}

// Types returns the types of the values of a schema; none if it has no type.
func Types(s *spec.Schema) []string {
	if both, _ := s.Extensions[XIntOrString].(bool); both {
		return []string{"integer", "string"}
	}
	return s.Type
}
