package declarative_test

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/harness"
)

// differentialCase is one pair, written by hand or found by the generator.
type differentialCase struct {
	name, why           string
	schema, object, old string
}

// harnessOf compiles the schema of a case for both backends.
func (c differentialCase) harnessOf(t testing.TB) *harness.Harness {
	t.Helper()
	var props apiextensionsv1.JSONSchemaProps
	if err := yaml.UnmarshalStrict([]byte(c.schema), &props); err != nil {
		t.Fatal(err)
	}
	h, err := bothBackends(&props, true)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func (c differentialCase) pair(t testing.TB) pair {
	return pair{obj: object(t, c.object), old: object(t, c.old)}
}

func openDifferences() []differentialCase {
	return []differentialCase{
		{
			name: "multiple of a fraction, integer", why: "a factor that is no integer is an error without a field, and the value is then checked as a float",
			schema: `{type: object, properties: {a: {type: integer, multipleOf: 2.5}}}`, object: `{a: 4}`,
		},
		{
			name: "multiple of less than one", why: "an int64 is checked against the factor without its fraction, and 0 is no factor",
			schema: `{type: object, properties: {a: {type: number, multipleOf: 0.1}}}`, object: `{a: 2}`,
		},
		{
			name: "fractional bound of an integer", why: "so is a bound that is no integer",
			schema: `{type: object, properties: {a: {type: integer, minimum: 1.5}}}`, object: `{a: 1}`,
		},
		{
			name: "new duplicate of an unchanged item", why: "list types are not ratcheted item by item",
			schema: `{type: object, properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id], items: {type: object, properties: {id: {type: number}}}, x-kubernetes-validations: [{rule: self == self}]}}}`,
			object: `{a: [{id: -3}, {id: -3}]}`, old: `{a: [{id: 0}, {id: -3}]}`,
		},
		{
			name: "equality of a list map with a missing key", why: "items without one of the keys are equal when all else is",
			schema: `{type: object, properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id, port], items: {type: object, properties: {id: {type: string}, port: {type: string}}}, allOf: [{x-kubernetes-validations: [{rule: self + oldSelf == self}]}], x-kubernetes-validations: [{rule: oldSelf.orValue(self) == self, optionalOldSelf: true}]}}}`,
			object: `{a: [{id: x}]}`, old: `{a: [{id: x}]}`,
		},
		{
			name: "optional oldSelf with null inside", why: "comparing null with a number",
			schema: `{type: object, properties: {in: {type: number, nullable: true}}, x-kubernetes-validations: [{rule: oldSelf.orValue(self) == self, optionalOldSelf: true, reason: FieldValueDuplicate}]}`,
			object: `{in: 10}`, old: `{in: null}`,
		},
		{
			name: "text of data of the wrong type in a rule", why: "the words of the adapter are part of the detail",
			schema: `{type: object, properties: {a: {type: integer, x-kubernetes-validations: [{rule: self > 1}]}}}`,
			object: `{a: 1.5}`, old: `{a: 1.5}`,
		},
	}
}

// TestOpenDifferences asserts that what is known to be different still is, so that
// a row moves to the table of what agrees as soon as it does.
func TestOpenDifferences(t *testing.T) {
	for _, tt := range openDifferences() {
		t.Run(tt.name, func(t *testing.T) {
			p := tt.pair(t)
			difference, _ := compared(t.Context(), tt.harnessOf(t), p)
			if difference == "" {
				t.Errorf("the backends agree (%s): move this row to differentialCases", tt.why)
			}
			t.Log(difference)
		})
	}
}
