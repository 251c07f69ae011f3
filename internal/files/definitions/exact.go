package definitions

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// exact gives a schema its defaults, examples and enums as they are written, with int64
// for integers: kube-openapi's decoder makes float64 of all numbers, which takes
// 9007199254740993 for its neighbour.
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
	for keyword, part := range map[string]*spec.SchemaOrBool{"additionalProperties": s.AdditionalProperties, "additionalItems": s.AdditionalItems} {
		if part != nil {
			exact(part.Schema, written[keyword])
		}
	}
	members, _ := written["dependencies"].(map[string]any)
	for name, part := range s.Dependencies {
		exact(part.Schema, members[name])
	}
}

// exactly is the value that is written, if the decoder kept it at all.
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
