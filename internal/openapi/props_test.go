package openapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/testing/randomschema"
)

// asJSON is any schema as plain JSON.
func asJSON(t *testing.T, schema any) any {
	t.Helper()
	data, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestFromPropsKeepsEverything(t *testing.T) {
	all := `{"id": "i", "$schema": "http://s", "description": "d", "type": "object", "format": "f", "title": "t", "default": ` +
		`{"a": 1, "b": 1.5},
	  "maximum": 1, "exclusiveMaximum": true, "minimum": 2, "exclusiveMinimum": true, "maxLength": 3, "minLength": 4, ` +
		`"pattern": "p", "maxItems": 5, "minItems": 6,
	  "uniqueItems": true, "multipleOf": 7, "enum": [1, "a", null], "maxProperties": 8, "minProperties": 9, "required": ` +
		`["r"], "items": {"type": "string"},
	  "allOf": [{"type": "string"}], "oneOf": [{"type": "string"}], "anyOf": [{"type": "string"}], "not": {"type": "string"}, ` +
		`"properties": {"p": {"$ref": "#/definitions/d"}},
	  "additionalProperties": {"type": "string"}, "patternProperties": {"x": {"type": "string"}}, "dependencies": {"a": ` +
		`["b"], "c": {"type": "string"}}, "additionalItems": false,
	  "definitions": {"d": {"items": [{"type": "string"}]}}, "externalDocs": {"description": "d", "url": "u"}, "example": ` +
		`{"e": 1}, "nullable": true,
	  "x-kubernetes-preserve-unknown-fields": false, "x-kubernetes-embedded-resource": true, "x-kubernetes-int-or-string": ` +
		`true, "x-kubernetes-list-map-keys": ["k"],
	  "x-kubernetes-list-type": "map", "x-kubernetes-map-type": "atomic", "x-kubernetes-validations": [{"rule": "r", ` +
		`"message": "m", "optionalOldSelf": false, "reason": "R"}]}`
	schemas := []*apiextensionsv1.JSONSchemaProps{{}}
	if err := json.Unmarshal([]byte(all), schemas[0]); err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(100) {
		schemas = append(schemas, randomschema.Make(generate.Seeded(seed), randomschema.Options{Unadmitted: true}))
	}
	for _, props := range schemas {
		got, err := openapi.FromProps(props)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(asJSON(t, props), asJSON(t, got)); diff != "" {
			t.Fatalf("the schema lost or gained something:\n%s", diff)
		}
	}
}

func TestFromPropsKeepsIntegers(t *testing.T) {
	got, err := openapi.FromProps(&apiextensionsv1.JSONSchemaProps{
		Default: &apiextensionsv1.JSON{Raw: []byte(`[1, 1.5, 9007199254740993]`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(any([]any{int64(1), 1.5, int64(9007199254740993)}), got.Default); diff != "" {
		t.Error(diff)
	}
}

func TestFromPropsRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, why string
		props     *apiextensionsv1.JSONSchemaProps
		want      string
	}{
		{"nothing", "a missing schema is the caller's mistake", nil, "there is no schema"},
		{"broken default", "a default that is no JSON cannot be filled in",
			&apiextensionsv1.JSONSchemaProps{Default: &apiextensionsv1.JSON{Raw: []byte(`{`)}}, "{ is not JSON"},
	} {
		if _, err := openapi.FromProps(tt.props); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %s: want %q, got %v", tt.name, tt.why, tt.want, err)
		}
	}
}

func TestReadExtensionsNamesWrongKinds(t *testing.T) {
	s := &spec.Schema{}
	s.AddExtension("x-kubernetes-list-map-keys", "k")
	s.AddExtension("x-kubernetes-unions", []any{map[string]any{"discriminater": "d"}})
	s.AddExtension("x-kubernetes-validations", []any{map[string]any{"Rule": "true"}}) // keys are case-sensitive
	_, errs := openapi.ReadExtensions(s, nil)
	var fields []string
	for _, e := range errs {
		fields = append(fields, e.Field)
	}
	if diff := cmp.Diff([]string{"x-kubernetes-list-map-keys", "x-kubernetes-unions", "x-kubernetes-validations"}, fields); diff != "" {
		t.Errorf("want against got:\n%s", diff)
	}
}
