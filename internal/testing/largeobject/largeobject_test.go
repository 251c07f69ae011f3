package largeobject_test

import (
	"encoding/json"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/testing/largeobject"
)

// TestGrow: objects for a schema with rules reach the requested size and are valid.
func TestGrow(t *testing.T) {
	schema := parse(t, `
type: object
properties:
  spec:
    type: object
    required: [mode]
    properties:
      mode: {type: string, enum: [A, B]}
      replicas: {type: integer, minimum: 1, default: 1}
      items:
        type: array
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [id]
        items:
          type: object
          required: [id]
          properties: {id: {type: string, pattern: '^[a-z0-9]{4,9}$'}, low: {type: integer}, high: {type: integer}, `+
		`labels: {type: object, additionalProperties: {type: string, maxLength: 20}}}
          x-kubernetes-validations: [{rule: '!has(self.low) || !has(self.high) || self.low <= self.high'}]
    x-kubernetes-validations: [{rule: self.replicas >= 1}]
`)
	validator, err := reference.CompileProps(schema, reference.Options{Root: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{1 << 10, 20 << 10} {
		obj, err := largeobject.Grow(generate.Seeded(1), schema, largeobject.Growth{
			Bytes: want,
			Valid: func(obj map[string]any) bool { return len(validator.Validate(t.Context(), obj, nil)) == 0 },
		})
		if err != nil {
			t.Errorf("%d bytes: %v", want, err)
			continue
		}
		data, err := json.Marshal(obj)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) < want || len(data) > want+want/10 {
			t.Errorf("the object has %d bytes; from %d to a tenth more were wanted", len(data), want)
		}
		if errs := validator.Validate(t.Context(), obj, nil); len(errs) > 0 {
			t.Errorf("%d bytes: %v", want, errs.ToAggregate())
		}
	}
}

// TestGrowGivesUp: if no valid object, or no larger one, can be made, the error says so.
func TestGrowGivesUp(t *testing.T) {
	schema := parse(t, `{type: object, properties: {a: {type: boolean}}}`)
	never := func(map[string]any) bool { return false }
	if _, err := largeobject.Grow(generate.Seeded(1), schema, largeobject.Growth{Bytes: 10, Valid: never}); err == nil {
		t.Error("an object was made that no one finds valid")
	}
	if _, err := largeobject.Grow(generate.Seeded(1), schema, largeobject.Growth{Bytes: 1 << 20}); err == nil {
		t.Error("a schema of one boolean has no object of a megabyte")
	}
}

func parse(t *testing.T, schema string) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	parsed := &apiextensionsv1.JSONSchemaProps{}
	if err := yaml.UnmarshalStrict([]byte(schema), parsed); err != nil {
		t.Fatal(err)
	}
	return parsed
}
