package definitions

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// exact sets defaults, examples and enums of a schema as written, with int64 for integers. The decoder
// of kube-openapi makes float64 of all numbers, which cannot represent 9007199254740993.
func exact(s *spec.Schema, value any) {
	written, isObject := value.(map[string]any)
	if s == nil || !isObject {
		return
	}
	s.Default = exactly(s.Default, written["default"])
	s.Example = exactly(s.Example, written["example"])
	enum, _ := written["enum"].([]any)
	for i := range min(len(enum), len(s.Enum)) {
		s.Enum[i] = exactly(s.Enum[i], enum[i])
	}
	exactNamed(s.Properties, written["properties"])
	exactNamed(s.PatternProperties, written["patternProperties"])
	exactNamed(s.Definitions, written["definitions"])
	exactList(s.AllOf, written["allOf"])
	exactList(s.AnyOf, written["anyOf"])
	exactList(s.OneOf, written["oneOf"])
	exact(s.Not, written["not"])
	if s.Items != nil {
		exact(s.Items.Schema, written["items"])
		exactList(s.Items.Schemas, written["items"])
	}
	for keyword, part := range map[string]*spec.SchemaOrBool{
		"additionalProperties": s.AdditionalProperties,
		"additionalItems":      s.AdditionalItems,
	} {
		if part != nil {
			exact(part.Schema, written[keyword])
		}
	}
	members, _ := written["dependencies"].(map[string]any)
	for name, part := range s.Dependencies {
		exact(part.Schema, members[name])
	}
}

// exactly returns the value as written if the decoder kept the keyword.
func exactly(read, written any) any {
	if read == nil {
		return nil
	}
	return runtime.DeepCopyJSONValue(written)
}

func exactNamed(schemas map[string]spec.Schema, value any) {
	members, _ := value.(map[string]any)
	for name, part := range schemas {
		exact(&part, members[name])
		schemas[name] = part
	}
}

func exactList(schemas []spec.Schema, value any) {
	items, _ := value.([]any)
	for i := range min(len(items), len(schemas)) {
		exact(&schemas[i], items[i])
	}
}
