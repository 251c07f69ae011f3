package proof

import "k8s.io/kube-openapi/pkg/validation/spec"

const (
	listType    = "x-kubernetes-list-type"
	listMapKeys = "x-kubernetes-list-map-keys"
)

// Part returns a schema that has one keyword of another; nil: nothing is proved about the keyword.
func Part(s *spec.Schema, keyword string) *spec.Schema {
	only := &spec.Schema{}
	switch keyword {
	case "maxLength":
		only.MaxLength = s.MaxLength
	case "minLength":
		only.MinLength = s.MinLength
	case "maxItems":
		only.MaxItems = s.MaxItems
	case "minItems":
		only.MinItems = s.MinItems
	case "maxProperties":
		only.MaxProperties = s.MaxProperties
	case "minProperties":
		only.MinProperties = s.MinProperties
	case "maximum", "exclusiveMaximum":
		only.Maximum, only.ExclusiveMaximum = s.Maximum, s.ExclusiveMaximum
	case "minimum", "exclusiveMinimum":
		only.Minimum, only.ExclusiveMinimum = s.Minimum, s.ExclusiveMinimum
	case "multipleOf":
		only.MultipleOf = s.MultipleOf
	case "uniqueItems":
		only.UniqueItems = s.UniqueItems
	case "pattern":
		only.Pattern = s.Pattern
	case "format":
		only.Format, only.Type = s.Format, s.Type
		only.Nullable = true // the format says nothing about a null
	case "enum":
		only.Enum = s.Enum
	case listType:
		if name, has := s.Extensions[listType]; has {
			only.Extensions = spec.Extensions{listType: name, listMapKeys: s.Extensions[listMapKeys]}
		}
	case "allOf":
		only.AllOf = s.AllOf
	case "anyOf":
		only.AnyOf = s.AnyOf
	case "oneOf":
		only.OneOf = s.OneOf
	case "not":
		only.Not = s.Not
	default:
		return nil
	}
	return only
}
