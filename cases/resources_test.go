package cases_test

import (
	"fmt"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/apiname"
)

const twoVersions = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {size: {type: integer, maximum: 5}}}}}
  - {name: v1beta1, served: true, storage: false, schema: {openAPIV3Schema: {type: object, properties: {size: {type: integer}}}}}
  - {name: v1alpha1, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}
`

// a tree of widgets, with references as in published OpenAPI
const openAPIv3 = `{"openapi": "3.0.0", "components": {"schemas": {
  "com.example.v1.Widget": {"type": "object", "x-kubernetes-group-version-kind": [{"group": "example.com", "version": ` +
	`"v1", "kind": "Widget"}],
    "properties": {"spec": {"allOf": [{"$ref": "#/components/schemas/com.example.v1.Spec"}], "default": {}}}},
  "com.example.v1.Spec": {"type": "object", "properties": {
    "size": {"type": "integer", "maximum": 5, "default": 6}, "inner": {"$ref": "#/components/schemas/com.example.v1.Spec"}}},
  "com.example.v1.Kindless": {"type": "object"},
  "com.example.v1.Shouting": {"type": "object", "x-kubernetes-group-version-kind": [{"GROUP": "example.com", "VERSION": ` +
	`"v1", "KIND": "Widget"}]},
  "com.example.v1.Broken": {"type": "object", "x-kubernetes-group-version-kind": [{"group": "example.com", "version": ` +
	`"v1", "kind": "Broken"}],
    "properties": {"a": {"$ref": "#/components/schemas/com.example.v1.Bad"}}},
  "com.example.v1.Bad": {"type": "object", "properties": {
    "b": {"type": "string", "pattern": "("}}}
}}}`

// suiteOf makes a suite whose schemas come from a file.
func suiteOf(declarative string) fstest.MapFS {
	return fstest.MapFS{
		"s/suite.yaml":   {Data: []byte("name: s\nnative: {builtin: widgets}\ndeclarative: " + declarative + "\ncases: [a.yaml]\n")},
		"s/crd.yaml":     {Data: []byte(twoVersions)},
		"s/openapi.json": {Data: []byte(openAPIv3)},
		"s/a.yaml": {
			Data: []byte("target: example.com/v1 Widget\ncases: [{name: big, object: {apiVersion: example.com/v1, kind: Widget, " +
				"metadata: {name: a, namespace: b}, size: 6, other: 1}}]\n"),
		},
	}
}

// TestSchemaFiles runs a case against schemas of files, and looks at each version.
func TestSchemaFiles(t *testing.T) {
	for _, tt := range []struct {
		why, declarative string
		want             []string
	}{
		{"every served version", "{crd: crd.yaml}", []string{
			"example.com/v1 Widget: size in body should be less than or equal to 5; pruned other",
			"example.com/v1beta1 Widget: ; pruned other",
		}},
		{"the one that is named", "{crd: crd.yaml, version: v1}",
			[]string{"example.com/v1 Widget: size in body should be less than or equal to 5; pruned other"}},
		{"a definition: with the defaults in its references, and its kind", "{openapi: {file: openapi.json, definition: " +
			"com.example.v1.Widget}}", []string{
			"example.com/v1 Widget: spec.size in body should be less than or equal to 5; pruned other, size",
		}},
		{"a kind that the suite names", "{openapi: {file: openapi.json, definition: com.example.v1.Kindless, kind: " +
			"example.com/v1 Widget}}", []string{
			"example.com/v1 Widget: ; pruned other, size",
		}},
	} {
		t.Run(tt.why, func(t *testing.T) {
			files := &cases.Files{FS: suiteOf(tt.declarative)}
			plan, err := cases.Load([]cases.Location{{Files: files, Name: "s/suite.yaml"}}, options())
			if err != nil {
				t.Fatal(err)
			}
			got := checked(t, plan.Suites[0], told)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// checked runs the cases of a suite and prints each result.
func checked(t *testing.T, suite *cases.Suite, write func(*testing.T, harness.Result) string) []string {
	t.Helper()
	var written []string
	for job, err := range suite.Jobs(cases.JobOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		results, err := job.Harness.Check(t.Context(), job.Case)
		if err != nil {
			t.Fatal(err)
		}
		for _, result := range results {
			written = append(written, write(t, result))
		}
	}
	return written
}

// told prints the answer of the declarative side, and the fields that it did not see.
func told(t *testing.T, result harness.Result) string {
	t.Helper()
	for _, fault := range []*contract.Fault{result.Fault, result.Native.Fault, result.Declarative.Fault} {
		if fault != nil {
			t.Fatal(fault)
		}
	}
	var errs, omitted []string
	for _, err := range result.Declarative.Errors {
		errs = append(errs, err.Detail)
	}
	for _, omission := range result.Omitted {
		omitted = append(omitted, omission.Field)
	}
	return fmt.Sprintf("%s: %s; pruned %s", apiname.Target(result.Version), strings.Join(errs, ", "), strings.Join(omitted, ", "))
}

// TestSchemaFileMistakes: each mistake has its file and line, and nothing is run.
func TestSchemaFileMistakes(t *testing.T) {
	for _, tt := range []struct{ why, declarative, want string }{
		{"a version that there is not", "{crd: crd.yaml, version: v3}", `s/crd.yaml:8: there is no version "v3" with a schema; ` +
			`there are v1, v1beta1, v1alpha1`},
		{"no definition", "{openapi: {file: openapi.json}}", `s/suite.yaml:3: openapi must name a file and a definition in it`},
		{"a definition that there is not", "{openapi: {file: openapi.json, definition: Nothing}}",
			`s/suite.yaml:3: no definition "Nothing" in openapi.json; there are: com.example.v1.Bad, com.example.v1.Broken, ` +
				`com.example.v1.Kindless, com.example.v1.Shouting, com.example.v1.Spec, com.example.v1.Widget`},
		{"a definition without a kind", "{openapi: {file: openapi.json, definition: com.example.v1.Kindless}}",
			`s/openapi.json:6: x-kubernetes-group-version-kind names 0 kinds; name one in the suite, for instance "kind: apps/v1 ` +
				`Deployment"`},
		{"a kind in other letters", "{openapi: {file: openapi.json, definition: com.example.v1.Shouting}}",
			`s/openapi.json:7: x-kubernetes-group-version-kind has no version or kind; its keys are group, version and kind`},
		{"a mistake in a reference", "{openapi: {file: openapi.json, definition: com.example.v1.Broken}}",
			"s/openapi.json:11: the schema does not compile: definitions[com.example.v1.Bad].properties[b].pattern: Invalid value: " +
				"\"(\": is not a regular expression: error parsing regexp: missing closing ): `(`"},
		{"no OpenAPI document", "{openapi: {file: crd.yaml, definition: a}}", `s/crd.yaml: this is not an OpenAPI document: ` +
			`it has no schemas under components.schemas (version 3) or definitions (version 2)`},
		{"a version that is not one of a CRD", "{builtin: widgets, version: v1}",
			`s/suite.yaml:3: version is accepted only with crd, and declarative names no crd`},
		{"a scope without guards", "{openapi: {file: openapi.json, definition: com.example.v1.Widget, scope: Cluster}}",
			`s/suite.yaml:3: scope is accepted only with guards (policies, mutate or then), and the suite has none`},
		{"no CRD", "{crd: openapi.json}", `s/openapi.json:1: expected a CustomResourceDefinition, got an object without a kind`},
	} {
		t.Run(tt.why, func(t *testing.T) {
			files := &cases.Files{FS: suiteOf(tt.declarative)}
			_, err := cases.Load([]cases.Location{{Files: files, Name: "s/suite.yaml"}}, options())
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

// An exceptions file outside of the suite may serve suites of other resources.
func TestExceptionsOfOtherResources(t *testing.T) {
	for _, tt := range []struct{ why, ref, target, want string }{
		{"a resource that a suite which is not run may have", "../e.yaml", "example.org/v1 Gadget", ""},
		{"only this suite reads its own file", "e.yaml", "example.org/v1 Gadget",
			`s/e.yaml:1: exception "shared": nothing validates example.org/v1 Gadget; accepted, with * as a wildcard for a whole ` +
				`part: example.com/v1 Widget`},
		{"a version that the suite leaves out", "e.yaml", "example.com/v1beta1 Widget",
			`s/e.yaml:1: exception "shared": nothing validates example.com/v1beta1 Widget; accepted, with * as a wildcard for a ` +
				`whole part: example.com/v1 Widget`},
	} {
		t.Run(tt.why, func(t *testing.T) {
			fsys := suiteOf("{crd: crd.yaml, version: v1}")
			fsys["s/suite.yaml"].Data = append(fsys["s/suite.yaml"].Data, "exceptions: "+tt.ref+"\n"...)
			fsys[path.Join("s",
				tt.ref)] = &fstest.MapFile{Data: []byte(strings.Replace(sharedExceptions, "example.com/v1 Widget", tt.target, 1))}
			_, err := cases.Load([]cases.Location{{Files: &cases.Files{FS: fsys}, Name: "s/suite.yaml"}}, options())
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
