package main

import (
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun"
	schemas "github.com/diffrun/diffrun/backends/declarative/idl/kubernetes"
	natives "github.com/diffrun/diffrun/backends/native/kubernetes"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
)

// Every version of every kind that is validated by hand has a schema that
// compiles: a version that lacks one would be nothing but faults.
func TestKubernetesSchemas(t *testing.T) {
	backends := schemas.NewBackends()
	for _, kind := range natives.Kinds() {
		if _, err := natives.NewTarget(kind, backends.Backend); err != nil {
			t.Error(err)
		}
	}
}

// Kubernetes' own validators take what a Go type with markers declares: both sides see
// each case, and refuse the same one.
func TestKubernetesGoTypes(t *testing.T) {
	disk := &cases.Files{FS: os.DirFS("."), OnDisk: true}
	plan, err := cases.Load([]cases.Place{{Files: disk, Name: "testdata/gotypes/suite.yaml"}}, cases.Options{Builtins: kubernetesBuiltins(), Now: time.Now()})
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
			if r.Verdict == harness.Faulted {
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

// The bundled suites, their rules and their exceptions have no mistake.
func TestBundledSuites(t *testing.T) {
	command := program{bundle: diffrun.Bundle(), builtins: kubernetesBuiltins(), now: time.Now}
	plan, err := command.loadSuites(t.Context(), nil, 0)
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
