package cases_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// TestPublishedSchemaRejects: what the loader rejects because of the keys and words of a side, an editor marks, too.
func TestPublishedSchemaRejects(t *testing.T) {
	text, err := os.ReadFile("../schemas/suite.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(strictyaml.SchemaURL("suite"), document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile(strictyaml.SchemaURL("suite"))
	if err != nil {
		t.Fatal(err)
	}
	const webhook = "{webhook: {url: 'http://127.0.0.1:9443/validate'}"
	for _, tt := range []struct{ why, native, declarative string }{ // without a reason: it is accepted
		{"", "{builtin: widgets}", "{crd: crd.yaml}"},
		{"no validator", "{}", "{crd: crd.yaml}"},
		{"two validators", webhook + ", builtin: widgets}", "{crd: crd.yaml}"},
		{"two schemas", "{builtin: widgets}", "{crd: crd.yaml, builtin: widgets}"},
		{"no schema", "{builtin: widgets}", "{}"},
		{"a webhook beside guards", webhook + ", policies: [p.yaml]}", "{crd: crd.yaml}"},
		{"a release beside guards", "{builtin: widgets}", "{kubernetes: v1.33.13, policies: [p.yaml]}"},
		{"a version without its definition", "{builtin: widgets}", "{builtin: widgets, version: v1}"},
		{"an engine without policies", "{crd: crd.yaml}", "{crd: crd.yaml, kyverno: v1.19.1}"},
		{"a guard without a program", "{then: {matchPolicy: Exact}}", "{crd: crd.yaml}"},
		{"a guard of two programs", "{then: " + webhook + ", exec: {command: [validator]}}}", "{crd: crd.yaml}"},
		{"a mutation of two programs", "{mutate: " + webhook + ", exec: {command: [validator]}}}", "{crd: crd.yaml}"},
		{"an unknown matchPolicy", "{then: " + webhook + ", matchPolicy: exact}}", "{crd: crd.yaml}"},
		{"an unknown operation", "{then: " + webhook + ", rules: [{operations: [PATCH], apiGroups: ['*'], apiVersions: ['*'], " +
			"resources: ['*']}]}}", "{crd: crd.yaml}"},
		{"an unknown scope", "{then: " + webhook + ", rules: [{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], " +
			"resources: ['*'], scope: All}]}}", "{crd: crd.yaml}"},
		{"an unknown convention", "{builtin: widgets}", "{go: {package: ./v1, type: Widget, conventions: go}}"},
		{"a package and packages", "{builtin: widgets}", "{go: {package: ./v1, packages: [./v1], type: Widget}}"},
	} {
		suite := "name: s\nnative: " + tt.native + "\ndeclarative: " + tt.declarative + "\ncases: [cases.yaml]\n"
		var read any
		if err := yaml.Unmarshal([]byte(suite), &read); err != nil {
			t.Fatalf("%s: %v", tt.why, err)
		}
		if err := schema.Validate(read); (err == nil) != (tt.why == "") {
			t.Errorf("%s: the published schema says %v", tt.why, err)
		}
		_, err := load(t, map[string]string{
			"s/suite.yaml": suite, "s/cases.yaml": "target: example.com/v1 Widget\ncases: [{name: a, object: {}}]\n",
			"s/p.yaml": "", "s/crd.yaml": twoVersions,
		})
		if (err == nil) != (tt.why == "") {
			t.Errorf("%s: the loader says %v", tt.why, err)
		}
	}
}
