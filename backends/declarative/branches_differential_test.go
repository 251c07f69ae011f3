package declarative_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// branchPart is a value, and a schema of a branch that rejects it.
type branchPart struct {
	name, schema string
	val          any
}

// branchParts has each kind of value, with and without the mistakes that decide how far a branch got: a wrong
// type, a format, nested branches.
func branchParts() []branchPart {
	const none = "enum: [zzz]"
	return []branchPart{
		{"null", none, nil}, {"null with a type", "type: string", nil},
		{"boolean", none, true}, {"boolean with its type", "type: boolean, " + none, true},
		{"boolean with a different type", "type: string", true},
		{"integer", none, int64(1)}, {"integer with its type", "type: integer, " + none, int64(1)},
		{"integer with a different type", "type: string", int64(1)},
		{"integer with a format", "type: integer, format: int32, " + none, int64(1)},
		{"float", none, 1.5}, {"float with its type", "type: number, " + none, 1.5}, {"float with a different type", "type: string", 1.5},
		{"text", none, "a"}, {"text with its type", "type: string, " + none, "a"}, {"text with a different type", "type: integer", "a"},
		{"text with a format", "format: ipv4", "a"}, {"text with a format that is not known", "format: unheard-of, " + none, "a"},
		{"text with type and format", "type: string, format: ipv4", "a"},
		{"list", none, []any{"a"}}, {"list with its type", "type: array, " + none, []any{"a"}},
		{"list with a different type", "type: object", []any{"a"}},
		{"list with items", "items: {type: integer}", []any{"a", "b"}},
		{"map", none, map[string]any{}}, {"map with its type", "type: object, " + none, map[string]any{}},
		{"map with a different type", "type: array", map[string]any{}},
		{"map with entries", "additionalProperties: {type: integer}", map[string]any{"a": "b", "c": int64(1)}},
		{"anyOf that holds", "anyOf: [{type: integer}, {maxLength: 5}], " + none, "a"},
		{"anyOf that fails", "anyOf: [{type: integer}, {minLength: 5}]", "a"},
		{"oneOf that holds", "oneOf: [{minLength: 5}, {type: string, maxLength: 5}], " + none, "a"},
		{"oneOf that holds twice", "oneOf: [{maxLength: 5}, {type: string}]", "a"},
		{"oneOf that fails", "oneOf: [{minLength: 5}, {type: integer}]", "a"},
		{"allOf", "allOf: [{minLength: 5}, {type: string}]", "a"},
		{"not", "not: {type: string, maxLength: 5}", "a"},
	}
}

// TestBranchThatExplains compares with kube-openapi which of two failing branches is reported, the one that
// got furthest. One branch checks some values of a part, the other checks strings.
func TestBranchThatExplains(t *testing.T) {
	const most = 5
	chosen := map[bool]int{}
	for _, part := range branchParts() {
		for count := range most * most {
			parts, texts := count/most+1, count%most+1
			obj := map[string]any{}
			branches := [2]string{
				branchOf(obj, "p", parts, part),
				branchOf(obj, "t", texts, branchPart{"", "pattern: z", "a"}),
			}
			for range 2 {
				slices.Reverse(branches[:])
				schema := fmt.Sprintf("{type: object, anyOf: [%s, %s]}", branches[0], branches[1])
				errs := declared(t, schema, declarative.Options{Semantics: declarative.CustomResources}, obj, nil)
				if d := cmp.Diff(lines(kubeOpenAPI(t, schema, obj)), lines(errs)); d != "" {
					t.Errorf("%d times %s or %d texts, the first branch %s (-reference +declarative):\n%s", parts, part.name, texts,
						branches[0], d)
				}
				chosen[slices.ContainsFunc(errs, func(e *field.Error) bool { return e.Origin == "pattern" })]++
			}
		}
	}
	if min(chosen[true], chosen[false]) < len(branchParts()) {
		t.Errorf("one branch explains nearly always: %v", chosen)
	}
}

// branchOf adds a number of values to an object and returns a branch that checks them.
func branchOf(obj map[string]any, prefix string, count int, part branchPart) string {
	branch := ""
	for i := range count {
		name := fmt.Sprint(prefix, i)
		obj[name] = part.val
		branch += fmt.Sprintf("%s: {%s}, ", name, part.schema)
	}
	return "{properties: {" + branch + "}}"
}

// kubeOpenAPI validates an object with kube-openapi alone. The schema need not be structural.
func kubeOpenAPI(t *testing.T, text string, obj map[string]any) field.ErrorList {
	t.Helper()
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(served.Props(t, text), &internal,
		nil); err != nil {
		t.Fatal(err)
	}
	schema := &spec.Schema{}
	strip := validation.StripUnsupportedFormatsPostProcessorForVersion(environment.DefaultCompatibilityVersion())
	if err := validation.ConvertJSONSchemaPropsWithPostProcess(&internal, schema, strip); err != nil {
		t.Fatal(err)
	}
	return validation.ValidateCustomResource(nil, obj, validation.NewSchemaValidatorFromOpenAPI(schema))
}
