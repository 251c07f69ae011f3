package cases_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
)

// TestGoTypes runs a suite whose schema is generated from the markers of a Go type.
func TestGoTypes(t *testing.T) {
	files := &cases.Files{FS: os.DirFS("."), OnDisk: true}
	plan, err := cases.Load([]cases.Location{{Files: files, Name: "testdata/gotypes/suite.yaml"}}, options())
	if err != nil {
		t.Fatal(err)
	}
	got := checked(t, plan.Suites[0], told)
	if diff := cmp.Diff([]string{
		"example.com/v1 Widget: ; pruned ",
		"example.com/v1 Widget: inner is larger, spec.inner.size in body should be less than or equal to 5, spec.size in body " +
			"should be less than or equal to 5; pruned ",
		"example.com/v1 Widget: inner is larger; pruned ",
		`example.com/v1 Widget: supported values: "red", "green"; pruned spec.other`,
	}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestDeclared: each place of a schema has the line that declares it, whatever the schema was made of.
func TestDeclared(t *testing.T) {
	widget := schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}
	const suite = "name: s\nnative: {builtin: widgets}\ncases: [cases.yaml]\ndeclarative: "
	for _, tc := range []struct{ why, declarative, place, want string }{
		{"a marker of a Go type", "{go: {package: ./v1, type: Widget, overlays: [overlay.yaml]}}",
			"definitions[com.github.diffrun.diffrun.cases.testdata.gotypes.v1.WidgetSpec].properties[size].maximum",
			"testdata/gotypes/v1/types.go:19"},
		{"a marker of an overlay", "{go: {package: ./v1, type: Widget, overlays: [overlay.yaml]}}",
			"definitions[com.github.diffrun.diffrun.cases.testdata.gotypes.v1.WidgetSpec].properties[color].enum",
			"testdata/gotypes/overlay.yaml:5"},
		{"a marker of controller-gen", "{go: {package: ./versions/v1, type: Widget}}", "properties[spec].properties[size].maximum",
			"testdata/gotypes/versions/v1/types.go:19"},
		{"a rule that a marker makes", "{go: {package: ./versions/v1, type: Widget}}", "properties[spec].x-kubernetes-validations[0]",
			"testdata/gotypes/versions/v1/types.go:21"},
		{"presence", "{go: {package: ./versions/v1, type: Widget}}", "properties[spec].required[0]",
			"testdata/gotypes/versions/v1/types.go:20"},
		{"a definition in an OpenAPI document", "{openapi: {file: openapi/api.yaml, definition: Widget, kind: example.com/v1 Widget}}",
			"definitions[Spec].properties[size].maximum", "testdata/gotypes/openapi/api.yaml:12"},
	} {
		plan, err := loadBeside(t, suite+tc.declarative)
		if err != nil {
			t.Fatal(err)
		}
		if got := plan.Suites[0].SchemaLine(widget, tc.place); got != tc.want {
			t.Errorf("%s: %s stands at %q, want %q", tc.why, tc.place, got, tc.want)
		}
	}
}

// loadBeside loads a suite as if it were next to the packages of testdata, where the go command finds their
// module.
func loadBeside(t *testing.T, suite string) (*cases.Plan, error) {
	t.Helper()
	const dir = "testdata/gotypes"
	files := fstest.MapFS{dir + "/s.yaml": {Data: []byte(suite)}}
	for _, name := range []string{"openapi/api.yaml", "cases.yaml", "overlay.yaml"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files[dir+"/"+name] = &fstest.MapFile{Data: data}
	}
	return cases.Load([]cases.Location{{Files: &cases.Files{FS: files, OnDisk: true}, Name: dir + "/s.yaml"}}, options())
}

// TestGoTypeMistakes: each mistake has a file and line, and says what to do.
func TestGoTypeMistakes(t *testing.T) {
	for _, tt := range []struct {
		why, declarative string
		want             []string
	}{
		{"no type", "{go: {package: ./v1}}", []string{"s.yaml:3: go must name a package and a type in it"}},
		{"no such package", "{go: {package: ./v2, type: Widget}}", []string{"s.yaml:3: go: ", "v2"}},
		{"no such type", "{go: {package: ./v1, type: Gadget}}",
			[]string{"s.yaml:3: go: ", "has no type Gadget; it has Widget, WidgetSpec"}},
		{"no group", "{go: {package: ./broken, type: Widget}}",
			[]string{"s.yaml:3: package github.com/diffrun/diffrun/cases/testdata/gotypes/broken has no marker +groupName " +
				"and no constant GroupName; " +
				"name the kind, for instance \"kind: example.com/v1 Widget\""}},
		{"a package and packages", "{go: {package: ./v1, packages: [./v1], type: Widget}}",
			[]string{"s.yaml:3: go names a package and packages; write one of the two"}},
		{"a different stage", "{go: {package: ./v1, type: Widget, stage: gamma}}",
			[]string{`s.yaml:3: stage does not know "gamma"; accepted: stable, beta, alpha`}},
		{"other conventions", "{go: {package: ./v1, type: Widget, conventions: go}}",
			[]string{`s.yaml:3: conventions does not know "go"; accepted: kep, crd`}},
		{"a different conversion", "{go: {packages: [./v1, ./v1], type: Widget, conversion: webhook}}",
			[]string{`s.yaml:3: conversion does not know "webhook"; accepted: hub, none`}},
		{"a hub with one version", "{go: {package: ./v1, type: Widget, conversion: hub}}",
			[]string{`s.yaml:3: conversion: hub is about several versions; name their packages under "packages"`}},
		{"a hub that is not there", "{go: {packages: [./versions/v1, ./versions/v1alpha1], type: Widget, conversion: hub}}",
			[]string{"s.yaml:3: go: conversion: hub: no version of Widget has the methods of controller-runtime's conversion"}},
		{"no hub", "{go: {packages: [./nohub/v1, ./nohub/v1beta1], type: Widget}}", []string{
			"nohub/v1/types.go:10: Widget of v1 has no method ConvertTo, so it cannot be converted through the hub",
			"nohub/v1/types.go:10: Widget has methods that convert it, but no version (v1, v1beta1) has the method Hub; " +
				"write \"func (*Widget) Hub() {}\"",
			"nohub/v1beta1/types.go:10: Widget of v1beta1 has no method ConvertFrom",
		}},
		{"a package that does not compile", "{go: {packages: [./wronghub/v1, ./wronghub/v1beta1], type: Widget}}",
			[]string{"the program with the conversion methods of Widget cannot be built", "types.go:21:", "\"conversion: none\""}},
		{"an unknown word", "{go: {package: ./v1, type: Widget, unknownMarkers: drop}}",
			[]string{`s.yaml:3: unknownMarkers does not know "drop"; accepted: ignore`}},
		{"a marker that is misspelled", "{go: {package: ./broken, type: Widget, kind: example.com/v1 Widget}}",
			[]string{"types.go:8: unknown marker +minLenght; did you mean +minLength?"}},
		{"a marker that is wrong", "{go: {package: ./broken, type: Widget, kind: example.com/v1 Widget}}",
			[]string{"types.go:6:", "maximum"}},
		{"an overlay for nothing", "{go: {package: ./v1, type: Widget, overlays: [none.yaml]}}",
			[]string{"s.yaml:3: none.yaml cannot be read: file does not exist"}},
		{"an unknown key", "{go: {package: ./v1, type: Widget, version: v1}}",
			[]string{`unknown key "version"; accepted: package, packages, type, kind, resource, scope, overlays, unknownMarkers, ` +
				`conventions, stage, options, bundledRules, conversion`}},
		{"a folder that is not there", "{go: {package: ./nowhere, type: Widget}}",
			[]string{"s.yaml:3: go: load Go packages ./nowhere: there is no folder testdata/gotypes/nowhere"}},
		{"a missing folder, of a definition", "{crd: 'go:./nowhere.Widget'}",
			[]string{"s.yaml:3: go:./nowhere.Widget: load Go packages ./nowhere: there is no folder testdata/gotypes/nowhere"}},
		{"two sources", "{go: {package: ./v1, type: Widget}, crd: crd.yaml}", []string{"declarative must name one source of schemas"}},
	} {
		t.Run(tt.why, func(t *testing.T) {
			_, err := loadBeside(t, "name: s\nnative: {builtin: widgets}\ndeclarative: "+tt.declarative+"\ncases: [cases.yaml]\n")
			for _, want := range tt.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("want %q in: %v", want, err)
				}
			}
		})
	}
}

// TestGoTypesInMemory: a suite that is not on disk is in no module.
func TestGoTypesInMemory(t *testing.T) {
	files := &cases.Files{FS: fstest.MapFS{
		"s/suite.yaml": {
			Data: []byte("name: s\nnative: {builtin: widgets}\ndeclarative: {go: {package: ./v1, type: Widget}}\ncases: [a.yaml]\n"),
		},
		"s/a.yaml": {Data: []byte("cases: []\n")},
	}}
	_, err := cases.Load([]cases.Location{{Files: files, Name: "s/suite.yaml"}}, options())
	if err == nil || !strings.Contains(err.Error(), "s/suite.yaml:3: only a suite on disk can name a Go package") {
		t.Error(err)
	}
}

// TestHub: the methods of the project convert objects between the versions, in a program.
func TestHub(t *testing.T) {
	files := &cases.Files{FS: os.DirFS("."), OnDisk: true}
	plan, err := cases.Load([]cases.Location{{Files: files, Name: "testdata/gotypes/hub/suite.yaml"}}, options())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := plan.Close(); err != nil {
			t.Error(err)
		}
	})
	got := checked(t, plan.Suites[0], func(t *testing.T, result harness.Result) string {
		switch {
		case result.Fault != nil:
			return fmt.Sprintf("%s: fault: %v", apiname.Target(result.Version), result.Fault)
		case result.Inexpressible != "":
			return fmt.Sprintf("%s: inexpressible: %s", apiname.Target(result.Version), result.Inexpressible)
		}
		return told(t, result)
	})
	const failed = "example.com/v1 Widget: fault: object: converting it from example.com/v1beta1 to v1 failed: "
	if diff := cmp.Diff([]string{
		"example.com/v1 Widget: ; pruned ",
		"example.com/v1beta1 Widget: ; pruned ",
		"example.com/v1 Widget: spec.width in body should be less than or equal to 5; pruned ",
		"example.com/v1beta1 Widget: ; pruned ",
		"example.com/v1 Widget: inexpressible: the conversion there and back changes spec.note",
		"example.com/v1beta1 Widget: ; pruned ",
		failed + "*v1beta1.Widget.ConvertTo: no width is negative",
		"example.com/v1beta1 Widget: ; pruned ",
		failed + "converting panicked: eight",
		"example.com/v1beta1 Widget: ; pruned ",
		"example.com/v1 Widget: ; pruned ",
		"example.com/v1beta1 Widget: ; pruned ",
		"example.com/v1 Widget: ; pruned ",
		"example.com/v1beta1 Widget: inexpressible: the conversion there and back changes spec.height",
	}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestHubThatHangs: a conversion that never ends is a fault of its own case in the other version only, when
// the time of the run is up.
func TestHubThatHangs(t *testing.T) {
	files := &cases.Files{FS: os.DirFS("."), OnDisk: true}
	plan, err := cases.Load([]cases.Location{{Files: files, Name: "testdata/gotypes/hub/hanging.yaml"}}, options())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := plan.Close(); err != nil {
			t.Error(err)
		}
	})
	const timeout = 2 * time.Second
	jobs := plan.Suites[0].Jobs(cases.JobOptions{Harness: harness.Options{Timeout: timeout}})
	faults := map[string]string{}
	results := 0
	err = harness.Run(t.Context(), jobs, harness.RunOptions{Parallel: 2}, func(result harness.Result) error {
		if results++; result.Fault != nil {
			_, name, _ := strings.Cut(result.Case.ID, "#")
			// The conversion and the harness have the same timeout, and either may report it.
			text := result.Fault.Error()
			faults[name+" in "+result.Version.Version] = text[max(0, strings.Index(text, "object: ")):]
		}
		return nil
	})
	if err != nil || results != 28 {
		t.Fatalf("%d results, %v", results, err)
	}
	want := fmt.Sprintf("object: converting it from example.com/v1beta1 to v1 failed: the conversion methods took longer than %v", timeout)
	if diff := cmp.Diff(map[string]string{"hangs in v1": want, "hangs as well in v1": want}, faults); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestHubOfWrongSuite: the program is removed if the suite has a different mistake.
func TestHubOfWrongSuite(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	_, err := loadBeside(t, "name: s\nnative: {builtin: widgets}\ndeclarative: {go: {packages: [./hub/v1beta1, ./hub/v1], "+
		"type: Widget}}\ncases: [none.yaml]\n")
	if err == nil || !strings.Contains(err.Error(), "none.yaml") {
		t.Errorf("got %v", err)
	}
	left, err := filepath.Glob(filepath.Join(temporary, "diffrun-conversion-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left: %v %v", left, err)
	}
}

// TestGuardsAroundSchemas: guards may be around the schema of a Go type or of an OpenAPI document, as around a
// definition. A schema that is no definition says with the key scope where its objects are.
func TestGuardsAroundSchemas(t *testing.T) {
	const suite = "name: s\nnative: {then: {exec: {command: [sh]}}}\ncases: [cases.yaml]\ndeclarative: {then: {exec: {command: [sh]}}, "
	for _, tt := range []struct{ why, source, mistake string }{
		{"markers of controller-gen, which make a definition", "go: {package: ./versions/v1, type: Widget}}", ""},
		{"markers of KEP-4153", "go: {package: ./v1, type: Widget, overlays: [overlay.yaml], scope: Cluster}}", ""},
		{"a scope beside markers of controller-gen, which have it", "go: {package: ./versions/v1, type: Widget, scope: Cluster}}",
			`testdata/gotypes/s.yaml:4: scope is not accepted here, because the markers of the type have it; remove it`},
		{"an OpenAPI document", "openapi: {file: openapi/api.yaml, definition: Widget, kind: example.com/v1 Widget}}", ""},
		{"a scope that does not exist", "openapi: {file: openapi/api.yaml, definition: Widget, kind: example.com/v1 Widget, " +
			"scope: Nowhere}}",
			`testdata/gotypes/s.yaml:4: scope does not know "Nowhere"; accepted: Namespaced, Cluster`},
	} {
		t.Run(tt.why, func(t *testing.T) {
			plan, err := loadBeside(t, suite+tt.source)
			if tt.mistake != "" {
				if err == nil || !strings.Contains(err.Error(), tt.mistake) {
					t.Errorf("%v, want %s", err, tt.mistake)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = plan.Close() }()
			native, declarative := plan.Suites[0].Guards()
			if versions := plan.Suites[0].Versions(); len(versions) != 1 || apiname.Target(versions[0]) != "example.com/v1 Widget" ||
				len(native) != 1 || len(declarative) != 1 {
				t.Errorf("versions %v, guards %v and %v", versions, native, declarative)
			}
		})
	}
}
