package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun"
	"github.com/diffrun/diffrun/backends/declarative/idl"
	schemas "github.com/diffrun/diffrun/backends/declarative/kubernetes"
	natives "github.com/diffrun/diffrun/backends/native/kubernetes/registry"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/apiname"
)

// If a kind has a bundled schema, each of its versions has one. Other kinds have schemas of tags.
// That each schema compiles is a test of package idl/kubernetes.
func TestKubernetesSchemas(t *testing.T) {
	bundled, tagged := map[schema.GroupKind]bool{}, map[schema.GroupKind]bool{}
	for _, version := range schemas.Kinds() {
		bundled[version.GroupKind()] = true
	}
	for _, version := range schemas.TaggedKinds() {
		tagged[version.GroupKind()] = true
	}
	for _, kind := range natives.Kinds() {
		if !bundled[kind] {
			if !tagged[kind] {
				t.Errorf("%s has neither a bundled schema nor one of tags", kind)
			}
			continue
		}
		target, err := natives.NewTarget(kind, func(version schema.GroupVersionKind) (harness.Backend, error) {
			if _, _, err := schemas.NewLibrary().Schema(version); err != nil {
				t.Errorf("%s: %v", apiname.Target(version), err)
			}
			return accepting{name: contract.DeclarativeName}, nil
		})
		if err != nil || len(target.Versions) == 0 {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// Kubernetes' own validators are compared with a Go type with markers: both sides validate each case,
// and reject the same one.
func TestKubernetesGoTypes(t *testing.T) {
	disk := &cases.Files{FS: os.DirFS("."), OnDisk: true}
	plan, err := cases.Load([]cases.Location{{Files: disk, Name: "testdata/gotypes/suite.yaml"}},
		cases.Options{Builtins: builtins(), Now: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	refusals := map[string][2]int{}
	for job, err := range plan.Suites[0].Jobs(cases.JobOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		results, err := job.Harness.Check(t.Context(), job.Case)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			if r.Verdict == words.Faulted {
				t.Errorf("%s: %v, %v, %v", r.Case.ID, r.Fault, r.Native.Fault, r.Declarative.Fault)
			}
			refusals[r.Case.ID] = [2]int{len(r.Native.Errors), len(r.Declarative.Errors)}
		}
	}
	want := map[string][2]int{"cases.yaml#valid": {0, 0}, "cases.yaml#a blank in a key": {1, 1}}
	if diff := cmp.Diff(want, refusals); diff != "" {
		t.Errorf("errors of both sides (-want +got):\n%s", diff)
	}
}

// The bundled suites, their rules and their exceptions can be loaded.
func TestBundledSuites(t *testing.T) {
	console := &terminal.Console{Stdin: strings.NewReader(""), Stdout: terminal.New(os.Stdout), Stderr: terminal.New(os.Stderr)}
	env := run.Environment{Console: console, Bundle: diffrun.Bundle(), Builtins: builtins(), Now: time.Now}
	plan, err := env.LoadSuites(t.Context(), nil, cases.Options{}, console.NewFiles())
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, suite := range plan.Suites {
		for job, err := range suite.Jobs(cases.JobOptions{}) {
			if err != nil {
				t.Fatal(err)
			}
			if job.Case.Fault != nil {
				t.Errorf("%s: %v", job.Case.Source, job.Case.Fault)
			}
			count++
		}
	}
	if count == 0 {
		t.Error("the bundled suites have no case")
	}
}

// TestTaggedKinds checks that the kinds with a schema of tags are those for which upstream generated a
// validator, and that each of these schemas compiles, in each stage.
func TestTaggedKinds(t *testing.T) {
	tagged := map[schema.GroupVersionKind]bool{}
	for _, version := range schemas.TaggedKinds() {
		tagged[version] = true
	}
	for _, kind := range natives.Kinds() {
		target, err := kubernetesNatives{}.Target(kind)
		if err != nil {
			t.Fatal(err)
		}
		for _, version := range target.Versions {
			_, err := natives.Generated(version.GroupVersionKind, nil)
			if (err == nil) != tagged[version.GroupVersionKind] {
				t.Errorf("%s: a schema of tags: %t, a generated validator: %v", apiname.Target(version.GroupVersionKind),
					tagged[version.GroupVersionKind], err)
			}
			delete(tagged, version.GroupVersionKind)
		}
	}
	for version := range tagged {
		t.Errorf("%s has a schema of tags, and no native validator", apiname.Target(version))
	}
	for _, stage := range []idl.Stage{idl.StageStable, idl.StageBeta, idl.StageAlpha} {
		made := schemas.NewTags(stage)
		for _, version := range schemas.TaggedKinds() {
			for _, enabled := range [][]string{nil, schemas.TagOptions()} {
				if _, err := made.Backend(version, enabled); err != nil {
					t.Errorf("%s with %v: %v", apiname.Target(version), enabled, err)
				}
			}
		}
	}
	_, err := schemas.NewTags(idl.StageAlpha).Backend(schema.GroupVersionKind{
		Group:   "scheduling.k8s.io",
		Version: "v1beta1",
		Kind:    "PodGroup",
	}, []string{"CompositePodGroup"})
	if err == nil || !strings.Contains(err.Error(), "enable all of these feature gates, or none") {
		t.Errorf("one option of three: %v", err)
	}
}

// TestRequestsWithoutSchema checks that requests about a version that has only one of the two backends
// are not compared, but counted. A case of a suite is a fault.
func TestRequestsWithoutSchema(t *testing.T) {
	dir := t.TempDir()
	suite := filepath.Join(dir, "suite.yaml")
	if err := os.WriteFile(suite, []byte("name: live\nnative: {builtin: kubernetes}\ndeclarative: {builtin: "+
		"kubernetes}\ncompare: [covered, native, generated]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "diffrun", "soak", "--stdin", "--folder", filepath.Join(dir, "found"), suite)
	cmd.Stdin = strings.NewReader(`{"id":"a","object":{"apiVersion":"v1","kind":"PodLogOptions"}}
{"id":"b","object":{"apiVersion":"networking.k8s.io/v1","kind":"IngressClass","metadata":{"name":"a"},"spec":{` +
		`"controller":"example.com/a"}}}
`)
	cmd.Env = append(os.Environ(), documentedCommand+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "2 inputs of 1 case: ") ||
		!strings.Contains(string(out), "cases left out: 1 of v1 PodLogOptions") {
		t.Errorf("%v\n%s", err, out)
	}
}
