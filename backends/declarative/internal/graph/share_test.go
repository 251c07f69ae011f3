package graph

import (
	"reflect"
	"slices"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// TestSharedSchemasAreEqual: every field of a schema either makes it a different schema, or does not matter
// for validation.
func TestSharedSchemasAreEqual(t *testing.T) {
	silent := []string{
		"ID", "Schema", "Description", "Default", "Title", "Definitions", "Discriminator", "ReadOnly", "ExternalDocs", "Example",
		"Properties", // their nodes are compared
	}
	for _, props := range []func(*spec.Schema) reflect.Value{
		func(s *spec.Schema) reflect.Value { return reflect.ValueOf(&s.SchemaProps).Elem() },
		func(s *spec.Schema) reflect.Value { return reflect.ValueOf(&s.SwaggerSchemaProps).Elem() },
	} {
		for i := range props(&spec.Schema{}).NumField() {
			s := &spec.Schema{}
			name := props(s).Type().Field(i).Name
			if slices.Contains(silent, name) {
				continue
			}
			set(t, name, props(s).Field(i))
			if sameSchema(s, &spec.Schema{}) {
				t.Errorf("%s makes no difference", name)
			}
		}
	}
}

// set sets a field of a schema.
func set(t *testing.T, name string, field reflect.Value) {
	t.Helper()
	switch field.Kind() {
	case reflect.String:
		field.SetString("x")
	case reflect.Bool:
		field.SetBool(true)
	case reflect.Pointer:
		field.Set(reflect.New(field.Type().Elem()))
	case reflect.Slice:
		field.Set(reflect.MakeSlice(field.Type(), 1, 1))
	case reflect.Map:
		field.Set(reflect.MakeMap(field.Type()))
		field.SetMapIndex(reflect.ValueOf("x"), reflect.Zero(field.Type().Elem()))
	case reflect.Struct:
		if name != "Ref" {
			t.Fatalf("%s: say how to set it", name)
		}
		field.Set(reflect.ValueOf(spec.MustCreateRef("#/definitions/x")))
	default:
		t.Fatalf("%s: say how to set it", name)
	}
}

// TestSharedNodes: equal schemas share one node, schemas that differ in any way do not, and information about
// one place is not lost at the next.
func TestSharedNodes(t *testing.T) {
	for _, tt := range []struct {
		why, a, b string
		shared    bool
	}{
		{"equal", `{"type": "string", "maxLength": 5}`, `{"type": "string", "maxLength": 5}`, true},
		{"texts for people do not count", `{"type": "string", "description": "a"}`, `{"type": "string", "default": "b"}`, true},
		{"a bound differs", `{"type": "string", "maxLength": 5}`, `{"type": "string", "maxLength": 6}`, false},
		{"a different bound", `{"type": "string", "maxLength": 5}`, `{"type": "string", "minLength": 5}`, false},
		{"equal below", `{"type": "array", "items": {"type": "object", "properties": {"x": {"type": "integer"}}}}`,
			`{"type": "array", "items": {"type": "object", "properties": {"x": {"type": "integer"}}}}`, true},
		{"a different name below", `{"type": "object", "properties": {"x": {"type": "integer"}}}`,
			`{"type": "object", "properties": {"y": {"type": "integer"}}}`, false},
		{"rules see that a property has a default", `{"type": "object", "required": ["x"], "properties": {"x": {"type": "integer"}}}`,
			`{"type": "object", "required": ["x"], "properties": {"x": {"type": "integer", "default": 1}}}`, false},
		{"equal branches", `{"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]}`,
			`{"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]}`, true},
		{"other branches", `{"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]}`,
			`{"x-kubernetes-int-or-string": true, "oneOf": [{"type": "integer"}, {"type": "string"}]}`, false},
		{"rules have places", `{"type": "string", "x-kubernetes-validations": [{"rule": "true"}]}`,
			`{"type": "string", "x-kubernetes-validations": [{"rule": "true"}]}`, false},
		{"one is closed", `{"type": "object", "additionalProperties": true}`, `{"type": "object", "additionalProperties": false}`, false},
		{"a different branch of not", `{"type": "string", "not": {"maxLength": 1}}`, `{"type": "string", "not": {"maxLength": 2}}`, false},
		{"a different name in a branch", `{"type": "object", "anyOf": [{"properties": {"x": {"minimum": 1}}}]}`,
			`{"type": "object", "anyOf": [{"properties": {"y": {"minimum": 1}}}]}`, false},
		{"a default in a branch", `{"type": "object", "anyOf": [{"properties": {"x": {"minimum": 1}}}]}`,
			`{"type": "object", "anyOf": [{"properties": {"x": {"minimum": 1, "default": 2}}}]}`, false},
		{"other items in a branch", `{"type": "array", "anyOf": [{"items": {"minimum": 1}}]}`,
			`{"type": "array", "anyOf": [{"items": {"minimum": 2}}]}`, false},
		{"other values in a branch", `{"type": "object", "anyOf": [{"additionalProperties": {"minimum": 1}}]}`,
			`{"type": "object", "anyOf": [{"additionalProperties": {"minimum": 2}}]}`, false},
		{"a different boolean", `{"enum": [true]}`, `{"enum": [false]}`, false},
		{"several extensions, in any order", `{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ` +
			`["a", "b"], "x-kubernetes-map-type": "atomic"}`,
			`{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a", "b"], "x-kubernetes-map-type": ` +
				`"atomic"}`, true},
		{"an enum is in its order, which its message shows", `{"type": "string", "enum": ["a", "b"]}`,
			`{"type": "string", "enum": ["b", "a"]}`, false},
	} {
		t.Run(tt.why, func(t *testing.T) {
			s := &spec.Schema{}
			if err := s.UnmarshalJSON([]byte(`{"type": "object", "properties": {"a": ` + tt.a + `, "b": ` + tt.b + `}}`)); err != nil {
				t.Fatal(err)
			}
			for range 8 { // Go's maps have no order
				g, mistakes := Compile(s, Options{Estimate: true})
				if len(mistakes) > 0 {
					t.Fatal(mistakes)
				}
				if got := g.Root.Properties["a"] == g.Root.Properties["b"]; got != tt.shared {
					t.Fatalf("one node: %v, want %v", got, tt.shared)
				}
			}
		})
	}
}
