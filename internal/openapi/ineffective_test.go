package openapi_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// keywords has each keyword once, with a value that rejects some value of its type.
var keywords = map[string]string{
	"maxLength": "0", "minLength": "9", "pattern": `"^z$"`, "format": "date", "maximum": "0", "minimum": "9", "multipleOf": "4",
	"maxItems": "0", "minItems": "9", "uniqueItems": "true", "items": "{not: {}}", "maxProperties": "0", "minProperties": "9",
	"required": "[zzz]", "properties": "{a: {not: {}}}", "additionalProperties": "{not: {}}",
}

// values has a few values of each type.
var values = map[string][]any{
	"string": {"", "x", "xyz"}, "integer": {int64(0), int64(3), int64(70)}, "number": {1.5, int64(3)}, "boolean": {true, false},
	"array": {[]any{}, []any{int64(1), int64(1)}}, "object": {map[string]any{}, map[string]any{"a": int64(1)}},
}

// TestAgainstReference: ineffective keywords change no verdict of the API server's validator on values of the
// type, and all others change one.
func TestAgainstReference(t *testing.T) {
	for typ, all := range values {
		for keyword, is := range keywords {
			text := fmt.Sprintf("{type: %s, %s: %s}", typ, keyword, is)
			schema := served.Schema(t, text)
			found := slices.ContainsFunc(openapi.Ineffective(schema, openapi.Types(schema)), func(k openapi.Keyword) bool {
				return k.Name == keyword
			})
			rejects := false
			validator, err := reference.Compile(served.Schema(t, "{type: object, properties: {f: "+text+"}}"), reference.Options{})
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			for _, v := range all {
				rejects = rejects || len(validator.Validate(t.Context(), map[string]any{"f": v}, nil)) > 0
			}
			if typ == "number" || typ == "integer" {
				if keyword == "format" {
					continue // date is a format of strings; this test is not about the known formats
				}
			}
			if rejects == found {
				t.Errorf("%s rejects something: %v; ineffective: %v", text, rejects, found)
			}
		}
	}
}

func TestWithout(t *testing.T) {
	for _, tt := range []struct{ why, schema, want string }{
		{"at any depth", `{type: object, maxLength: 3, properties: {a: {type: array, maxLength: 3, items: {type: integer, ` +
			`pattern: a}}}}`, `{type: object, properties: {a: {type: array, items: {type: integer}}}}`},
		{"an integer or a string takes the keywords of both", `{x-kubernetes-int-or-string: true, maxLength: 3, maximum: 3, ` +
			`maxItems: 3}`, `{x-kubernetes-int-or-string: true, maxLength: 3, maximum: 3}`},
		{"a branch is about the same value", `{type: integer, anyOf: [{maxLength: 3}, {maximum: 3}]}`,
			`{type: integer, anyOf: [{}, {maximum: 3}]}`},
		{"fields of a branch are those of the object", `{type: object, properties: {a: {type: array}}, not: {properties: {a: ` +
			`{maxLength: 3, maxItems: 3}, b: {maxLength: 3}}}}`, `{type: object, properties: {a: {type: array}}, not: {properties: ` +
			`{a: {maxItems: 3}, b: {maxLength: 3}}}}`},
		{"the exclusive bound goes with the bound", `{type: string, maximum: 3, exclusiveMaximum: true}`, `{type: string}`},
		{"no type takes all", `{maxLength: 3, maxItems: 3}`, `{maxLength: 3, maxItems: 3}`},
	} {
		schema := served.Schema(t, tt.schema)
		if diff := cmp.Diff(served.Text(served.Schema(t, tt.want)), served.Text(openapi.WithoutIneffective(schema))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, diff)
		}
		if diff := cmp.Diff(served.Text(served.Schema(t, tt.schema)), served.Text(schema)); diff != "" {
			t.Errorf("%s: the schema was changed:\n%s", tt.why, diff)
		}
	}
}
