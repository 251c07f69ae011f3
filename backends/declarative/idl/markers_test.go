package idl_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMarkers compares the schemas of single fields with their markers and Go types.
func TestMarkers(t *testing.T) {
	got := generate(t, testdata+"markers", "Values", "Zero", "Shapes", "Tree", "Aimed", "Conflict", "Long")
	for _, row := range []struct{ why, owner, field, want string }{
		{"numbers; switches beside the bounds as in OpenAPI v3.0", "Values", "number",
			`{"type": "number", "format": "double", "minimum": -1, "maximum": 1.5, "exclusiveMaximum": true, "multipleOf": 0.5, ` +
				`"x-kubernetes-strip-zero": true}`},
		{"a pointer keeps its zero", "Values", "text",
			`{"type": "string", "minLength": 1, "maxLength": 63, "pattern": "^[a-z]+(\\.[a-z]+)*$", "nullable": true}`},
		{"escapes in double quotes are Go's", "Values", "quoted",
			`{"type": "string", "pattern": "^\\d+$", "x-kubernetes-strip-zero": true}`},
		{"lists", "Values", "list",
			`{"type": "array", "items": {"type": "integer", "format": "int64"}, "minItems": 1, "maxItems": 8, "uniqueItems": true, ` +
				`"x-kubernetes-strip-zero": true}`},
		{"maps", "Values", "map",
			`{"type": "object", "additionalProperties": {"type": "string"}, "minProperties": 1, "maxProperties": 8, ` +
				`"x-kubernetes-map-type": "atomic", "x-kubernetes-strip-zero": true}`},
		{"enum in the notation of types.go files", "Values", "semicolons", `{"type": "string", "enum": ["A", "B", "C"], ` +
			`"x-kubernetes-strip-zero": true}`},
		{"enum with values that need quotes", "Values", "braces",
			`{"type": "string", "enum": ["x y", "", "z"], "x-kubernetes-strip-zero": true}`},
		{"enum of numbers", "Values", "numbers", `{"type": "integer", "format": "int32", "enum": [1, 2], "x-kubernetes-strip-zero": true}`},
		{"own words for a keyword", "Values", "worded",
			`{"type": "string", "minLength": 2, "x-kubernetes-strip-zero": true, "x-kubernetes-validation-errors": {"minLength": ` +
				`{"message": "say a name", "reason": "FieldValueRequired"}}}`},

		{"an empty text counts as absent", "Zero", "text", `{"type": "string", "x-kubernetes-strip-zero": true}`},
		{"a number that is always serialized keeps its zero", "Zero", "number", `{"type": "integer", "format": "int32", "default": 0}`},
		{"so does a boolean", "Zero", "bool", `{"type": "boolean", "default": false}`},
		{"unless it is declared as required", "Zero", "requiredNumber",
			`{"type": "integer", "format": "int32", "x-kubernetes-strip-zero": true}`},
		{"or optional", "Zero", "optionalNumber", `{"type": "integer", "format": "int32", "x-kubernetes-strip-zero": true}`},
		{"bytes are text", "Zero", "bytes", `{"type": "string", "format": "byte", "x-kubernetes-strip-zero": true}`},
		{"a pointer is absent when nil", "Zero", "pointer", `{"type": "integer", "format": "int64"}`},
		{"a struct is always there", "Zero", "struct", `{"$ref": "` + defs + `Inner", "default": {}}`},
		{"a required struct has no default that could hide it", "Zero", "requiredStruct", `{"$ref": "` + defs + `Inner"}`},
		{"a pointer to a struct", "Zero", "pointerStruct", `{"$ref": "` + defs + `Inner"}`},
		{"an interface", "Zero", "any", `{"x-kubernetes-preserve-unknown-fields": true}`},
		{"zero as a value, on request", "Zero", "kept", `{"type": "string"}`},
		{"a default", "Zero", "default", `{"type": "string", "default": "a", "x-kubernetes-strip-zero": true}`},
		{"a default that is the zero", "Zero", "defaultZero", `{"type": "string", "default": "", "x-kubernetes-strip-zero": true}`},
		{"but not where the zero is missing", "Zero", "requiredZero", `{"type": "string", "x-kubernetes-strip-zero": true}`},
		{"a default by constant", "Zero", "ref", `{"type": "string", "default": "fallback", "x-kubernetes-strip-zero": true}`},
		{"a default beside a $ref", "Zero", "structDefault", `{"$ref": "` + defs + `Inner", "default": {"a": 1}}`},

		{"an inlined struct's field", "Shapes", "e", `{"type": "string", "x-kubernetes-strip-zero": true}`},
		{"a field without a tag has its Go name; uint8 is no byte by itself", "Shapes", "NoTag",
			`{"type": "integer", "format": "byte", "default": 0}`},
		{"a number that is written as text", "Shapes", "asString", `{"type": "string", "x-kubernetes-strip-zero": true}`},
		{"the zero time is null", "Shapes", "time", `{"type": "string", "format": "date-time", "nullable": true}`},
		{"a duration is text", "Shapes", "duration", `{"type": "string"}`},
		{"Go's own is nanoseconds", "Shapes", "goDuration", `{"type": "integer", "format": "int64", "x-kubernetes-strip-zero": true}`},
		{"a quantity may be a number", "Shapes", "quantity", `{"x-kubernetes-int-or-string": true}`},
		{"int or string", "Shapes", "intOrString", `{"x-kubernetes-int-or-string": true}`},
		{"any object", "Shapes", "raw", `{"type": "object", "x-kubernetes-preserve-unknown-fields": true}`},
		{"a map of well-known values", "Shapes", "resources",
			`{"type": "object", "additionalProperties": {"x-kubernetes-int-or-string": true}, "x-kubernetes-strip-zero": true}`},
		{"a struct without a name", "Shapes", "anonymous",
			`{"type": "object", "properties": {"x": {"type": "integer", "format": "int32", "minimum": 1, "default": 0}}, ` +
				`"required": ["x"], "default": {}}`},

		{"recursion stays recursive", "Tree", "children", `{"type": "array", "items": {"$ref": "` + defs +
			`Tree"}, "x-kubernetes-strip-zero": true}`},
		{"a rule on one recursive use", "Tree", "only",
			`{"type": "object", "allOf": [{"$ref": "` + defs +
				`Tree"}], "x-kubernetes-validations": [{"rule": "self.children.size() > 0"}]}`},

		{"items", "Aimed", "items", `{"type": "array", "items": {"type": "string", "maxLength": 3, "enum": ["a", "b"]}, ` +
			`"x-kubernetes-strip-zero": true}`},
		{"values and keys", "Aimed", "map", `{"type": "object", "additionalProperties": {"type": "integer", "format": "int32", ` +
			`"minimum": 1}, "x-kubernetes-strip-zero": true,
			"x-kubernetes-validations": [
				{"rule": "self.all(key, !format.dns1123Label().validate(key).hasValue())", "reason": "FieldValueInvalid",
				 "messageExpression": "self.filter(key, format.dns1123Label().validate(key).hasValue()).map(key, key + ': ` +
			`' + format.dns1123Label().validate(key).value().join('; ')).join(', ')"},
				{"rule": "self.all(key, size(key) <= 10)", "reason": "FieldValueInvalid",
				 "messageExpression": "self.filter(key, !(size(key) <= 10)).join(', ') + \": must have at most 10 characters\""},
				{"rule": "self.all(key, key.matches(\"^a\"))", "reason": "FieldValueInvalid",
				 "messageExpression": "self.filter(key, !(key.matches(\"^a\"))).join(', ') + \": must match ^a\""}]}`},
		{"a place below is changed in a copy", "Aimed", "deep", `{"type": "object", "default": {}, "properties": {
			"inner": {"type": "object", "default": {}, "required": ["a"], "properties": {"a": {"type": "integer", "format": ` +
			`"int32", "minimum": 1, "x-kubernetes-strip-zero": true}}},
			"list": {"type": "array", "x-kubernetes-strip-zero": true, "items": {"type": "object", "properties": {"a": {"type": ` +
			`"integer", "format": "int32", "maximum": 2, "x-kubernetes-strip-zero": true}}}}}}`},
		{"other uses stay as they were", "Aimed", "plain", `{"$ref": "` + defs + `Deep"}`},
		{"and so does the type", "Deep", "inner", `{"$ref": "` + defs + `Inner", "default": {}}`},
		{"a list map", "Aimed", "keyed", `{"type": "array", "items": {"$ref": "` + defs +
			`Inner"}, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"], "x-kubernetes-strip-zero": true}`},

		{"both levels hold", "Conflict", "same",
			`{"type": "string", "maxLength": 10, "pattern": "^a", "allOf": [{"maxLength": 5}, {"pattern": "^b"}], ` +
				`"x-kubernetes-strip-zero": true}`},
		{"the same bound twice is one", "Conflict", "other", `{"type": "string", "maxLength": 10, "pattern": "^a", ` +
			`"x-kubernetes-strip-zero": true}`},

		{"a rule over several lines keeps them", "Long", "overLines", `{"type": "array", "items": {"type": "integer", "format": ` +
			`"int32"}, "x-kubernetes-strip-zero": true,
			"x-kubernetes-validations": [{"rule": "self.all(x,\nx > 0 && // a comment ends with its line\nx < 10)", "message": ` +
			`"between 0 and 10", "reason": "FieldValueInvalid"}]}`},
		{"triple quotes and backquotes take text as it is", "Long", "raw",
			`{"type": "string", "x-kubernetes-strip-zero": true, "x-kubernetes-validations": [{"rule": "self.matches(\"^[a-z]\\\\.$\")", ` +
				`"messageExpression": "\"no: \" + self"}]}`},
		{"a transition rule", "Long", "old", `{"type": "object", "default": {}, "properties": {"b": {"type": "string", ` +
			`"x-kubernetes-strip-zero": true}},
			"x-kubernetes-validations": [{"rule": "self == oldSelf", "optionalOldSelf": true, "fieldPath": ".b"}]}`},
	} {
		t.Run(row.owner+"."+row.field, func(t *testing.T) {
			properties := got[row.owner].(map[string]any)["properties"].(map[string]any)
			if diff := cmp.Diff(parse(t, row.want), properties[row.field]); diff != "" {
				t.Errorf("%s (-want +got):\n%s", row.why, diff)
			}
		})
	}
}

const defs = "#/definitions/com.github.diffrun.diffrun.backends.declarative.idl.testdata.markers."

func TestRequired(t *testing.T) {
	got := generate(t, testdata+"markers", "Zero", "Shapes", "Long")
	for _, row := range []struct{ why, owner, want string }{
		{"fields without omitempty, and fields with +required; a struct only with the latter", "Zero",
			`["bool", "list", "map", "number", "pointer", "requiredNumber", "requiredStruct", "requiredZero", "text"]`},
		{"an inlined struct adds its required fields, an inlined pointer does not", "Shapes", `["NoTag", "e"]`},
		{"a marker in a separate comment above the doc comment counts", "Long", `null`},
	} {
		t.Run(row.owner, func(t *testing.T) {
			if diff := cmp.Diff(parse(t, row.want), got[row.owner].(map[string]any)["required"]); diff != "" {
				t.Errorf("%s (-want +got):\n%s", row.why, diff)
			}
		})
	}
}

func TestRulesOfInlinedStructs(t *testing.T) {
	got := generate(t, testdata+"markers", "Shapes")["Shapes"].(map[string]any)
	want := parse(t, `[{"rule": "size(self.e) > 0"}]`)
	if diff := cmp.Diff(want, got["x-kubernetes-validations"]); diff != "" {
		t.Errorf("the rule of an inlined struct holds for its owner (-want +got):\n%s", diff)
	}
	if _, ok := got["properties"].(map[string]any)["Skipped"]; ok {
		t.Error("a field with json:\"-\" is no part of the schema")
	}
}
