package definitions_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/files/definitions"
)

const head = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.dev}
spec:
  group: example.dev
  scope: Namespaced
  names: {kind: Thing, plural: things}
`

// TestReadMistakes: all mistakes of a file are reported at once, each with its line.
func TestReadMistakes(t *testing.T) {
	for _, tt := range []struct{ why, file, text, want string }{
		{"a good one", "a.yaml", head + "  versions:\n  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: " +
			"{type: object, x-kubernetes-unions: []}}}\n", ""},
		{"objects beside it, as in a file that installs an operator", "a.yaml",
			"apiVersion: v1\nkind: Namespace\n---\n" + head + "  versions:\n  - {name: v1, served: true, storage: true, schema: " +
				"{openAPIV3Schema: {type: object}}}\n", ""},
		{"a document beside it that is not an object", "a.yaml",
			head + "  versions:\n  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: " +
				"object}}}\n---\nreplicas: 3\n",
			"a.yaml:11: expected a CustomResourceDefinition, got an object without a kind"},
		{"nothing in it", "a.yaml", "# nothing\n", "a.yaml: this file has no CustomResourceDefinition"},
		{"something else, and no YAML, in one file", "a.yaml", "kind: Pod\napiVersion: v1\n---\na: [\n",
			"a.yaml:1: expected a CustomResourceDefinition, got kind \"Pod\" of \"v1\"\n" +
				"a.yaml:4: not YAML: did not find expected node content"},
		{"JSON has lines, too", "a.json", "{\"apiVersion\": \"v1\",\n \"kind\": \"Pod\"}",
			`a.json:2: expected a CustomResourceDefinition, got kind "Pod" of "v1"`},
		{"no schema", "a.yaml", head + "  versions: [{name: v1, served: true, storage: true}]\n",
			"a.yaml:8: no version of this CustomResourceDefinition has a schema; it belongs under spec.versions[*].schema.openAPIV3Schema"},
		{"misspelt fields outside and inside of the schema", "a.yaml",
			head + "  verzion: v1\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      " +
				"openAPIV3Schema:\n        type: object\n        propertees: {}\n",
			"a.yaml:8: a CustomResourceDefinition of apiextensions.k8s.io/v1 has no field spec.verzion\na.yaml:16: the schema does " +
				"not compile: propertees: Invalid value: no keyword of OpenAPI v3 is named \"propertees\""},
		{"a document without a kind", "a.yaml", "type: 5\n", "a.yaml:1: expected a CustomResourceDefinition, got an object without a kind"},
		{"only a schema", "a.yaml", "# mine\ntype: object\n", "a.yaml:2: expected a CustomResourceDefinition, got only a schema; " +
			"write it under spec.versions[*].schema.openAPIV3Schema of one"},
		{"one schema for all versions, as in v1beta1", "a.yaml", strings.Replace(head, "/v1", "/v1beta1", 1) +
			"  validation:\n    openAPIV3Schema: {type: object}\n",
			"a.yaml:8: this CustomResourceDefinition of apiextensions.k8s.io/v1beta1 has one schema for all versions, " +
				"under spec.validation; write it as apiextensions.k8s.io/v1, with the schema under " +
				"spec.versions[*].schema.openAPIV3Schema"},
		{"the same with a current version", "a.yaml", head + "  validation:\n    openAPIV3Schema: {type: object}\n  versions: []\n",
			"a.yaml:8: a CustomResourceDefinition of apiextensions.k8s.io/v1 has no field spec.validation; the schema belongs " +
				"under spec.versions[*].schema.openAPIV3Schema"},
		{"values of the wrong kind: all of them, with their places", "a.yaml",
			head + "  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n        type: [object]\n        properties:\n " +
				"         a: 5\n          b:\n            maxLength: x\n            allOf: {}\n            " +
				"additionalProperties: yes please\n",
			"a.yaml:12: the schema does not compile: type: Invalid value: must be text, not a list\na.yaml:14: the schema does " +
				"not compile: properties[a]: Invalid value: must be an object, not a number\n" +
				"a.yaml:16: the schema does not compile: properties[b].maxLength: Invalid value: must be an integer, " +
				"not text\na.yaml:17: the schema does not compile: properties[b].allOf: Invalid value: must be a list, not an object\n" +
				"a.yaml:18: the schema does not compile: properties[b].additionalProperties: Invalid value: boolean or JSON " +
				"schema expected"},
		{"a value of the wrong kind hides no misspelt keyword", "a.yaml",
			head + "  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n        minimun: 1\n        properties:\n  " +
				"        a: {minimum: one}\n",
			"a.yaml:12: the schema does not compile: minimun: Invalid value: no keyword of OpenAPI v3 is named \"minimun\"\na.yaml:14: " +
				"the schema does not compile: properties[a].minimum: Invalid value: must be a number, not text"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			_, err := definitions.Read(tt.file, []byte(tt.text))
			got := ""
			if err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestExact: numbers in defaults and enums are exactly those in the file, wherever they are.
func TestExact(t *testing.T) {
	const large = `{enum: [9007199254740993, 1.5, [9007199254740993]], default: {a: -9007199254740993}, example: 9007199254740993}`
	d, err := definitions.ReadSchema("a.yaml", []byte(`properties: {a: `+large+`}
patternProperties: {a: `+large+`}
definitions: {a: `+large+`}
dependencies: {a: `+large+`, b: [c]}
additionalProperties: `+large+`
items: `+large+`
not: `+large+`
allOf: [{}, `+large+`]
anyOf: [`+large+`]
oneOf: [{items: [{}, `+large+`], additionalItems: `+large+`}]
enum: [9007199254740993, null]
default: null
`))
	if err != nil {
		t.Fatal(err)
	}
	s := d.Schema
	named := func(all map[string]spec.Schema) *spec.Schema { one := all["a"]; return &one }
	for place, got := range map[string]*spec.Schema{
		"properties": named(s.Properties), "patternProperties": named(s.PatternProperties), "definitions": named(s.Definitions),
		"dependencies": s.Dependencies["a"].Schema, "additionalProperties": s.AdditionalProperties.Schema, "items": s.Items.Schema,
		"not": s.Not, "allOf": &s.AllOf[1], "anyOf": &s.AnyOf[0],
		"items of a list": &s.OneOf[0].Items.Schemas[1], "additionalItems": s.OneOf[0].AdditionalItems.Schema,
	} {
		const n = int64(9007199254740993)
		want := []any{[]any{n, 1.5, []any{n}}, map[string]any{"a": -n}, n}
		if diff := cmp.Diff(want, []any{got.Enum, got.Default, got.Example}); diff != "" {
			t.Errorf("%s: -want +got:\n%s", place, diff)
		}
	}
	if diff := cmp.Diff([]any{int64(9007199254740993), nil}, s.Enum); diff != "" || s.Default != nil {
		t.Errorf("default %v; enum: -want +got:\n%s", s.Default, diff)
	}
}

// TestPlaced: the mistakes of a schema have their lines, whoever found them.
func TestPlaced(t *testing.T) {
	d, err := definitions.ReadOne("a.yaml",
		[]byte(head+"  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n  "+
			"      type: object\n        properties:\n          a:\n            type: string\n"))
	if err != nil {
		t.Fatal(err)
	}
	at := field.Invalid(field.NewPath("properties").Key("a").Child("type"), "string", "no good")
	for _, tt := range []struct {
		why  string
		err  error
		want string
	}{
		{"one", at, "a.yaml:17: "},
		{"an aggregate", field.ErrorList{at}.ToAggregate(), "a.yaml:17: "},
		{"joined and wrapped", fmt.Errorf("while compiling: %w", errors.Join(at)), "a.yaml:17: "},
		{"without a place", errors.New("no luck"), "a.yaml:13: "},
		{"some with a place and some without: nothing is lost", errors.Join(at, errors.New("no luck")), "a.yaml:13: "},
	} {
		got := d.Versions[0].Placed(tt.err)
		if got == nil || !strings.HasPrefix(got.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s…", tt.why, got, tt.want)
		}
	}
	if err := d.Versions[0].Placed(nil); err != nil {
		t.Errorf("no error became %v", err)
	}
}

// TestPath: an error of the API server about all versions at once is located in the file.
func TestPath(t *testing.T) {
	d := &definitions.Definition{}
	for of, want := range map[string]string{
		"spec.validation.openAPIV3Schema.type": "spec.versions[0].schema.openAPIV3Schema.type",
		"spec.subresources.scale":              "spec.versions[0].subresources.scale",
		"spec.validationless":                  "spec.validationless",
		"spec.versions[1].schema":              "spec.versions[1].schema",
	} {
		if got := d.Path(of); got != want {
			t.Errorf("%s: got %s, want %s", of, got, want)
		}
	}
}

// TestReadAll: a definition without a schema can be checked, one that cannot be decoded cannot.
func TestReadAll(t *testing.T) {
	bare := head + "  versions: [{name: v1, served: true, storage: true}]\n"
	all, err := definitions.ReadAll("a.yaml", []byte(bare+"---\n"+bare))
	if err != nil || len(all) != 2 || len(all[0].Versions) != 0 {
		t.Errorf("%d definitions, %v", len(all), err)
	}
	if _, err := definitions.ReadAll("a.yaml", []byte("kind: Pod\napiVersion: v1\n")); err == nil {
		t.Error("a Pod was read as a definition")
	}
}

// TestPick: which versions a name selects; no served version is left out silently.
func TestPick(t *testing.T) {
	const versions = "  versions:\n  - {name: v1, served: true, schema: {openAPIV3Schema: {type: object}}}\n  - {name: v2, " +
		"served: false, schema: {openAPIV3Schema: {type: object}}}\n"
	for _, tt := range []struct{ why, text, name, picked, want string }{
		{"all that are served", versions, "", "v1", ""},
		{"one that is not served, by its name", versions, "v2", "v2", ""},
		{"one that is not there", versions, "v3", "", `a.yaml:8: there is no version "v3" with a schema; there are v1, v2`},
		{"none is served", strings.ReplaceAll(versions, "true", "false"), "", "", "a.yaml:8: no version is served; name one: v1, v2"},
		{"one is served that has no schema", versions + "  - {name: v3, served: true}\n", "", "v1",
			"a.yaml:11: version v3 is served and has no schema; give it one under spec.versions[2].schema.openAPIV3Schema, " +
				"or name a version that has one: v1, v2"},
		{"which does not affect another", versions + "  - {name: v3, served: true}\n", "v1", "v1", ""},
	} {
		d, err := definitions.ReadOne("a.yaml", []byte(head+tt.text))
		if err != nil {
			t.Fatal(err)
		}
		picked, err := d.Pick(tt.name)
		got, names := "", []string{}
		if err != nil {
			got = err.Error()
		}
		for _, v := range picked {
			names = append(names, v.Version)
		}
		if got != tt.want || strings.Join(names, ",") != tt.picked {
			t.Errorf("%s: %v, %s", tt.why, names, got)
		}
	}
}
