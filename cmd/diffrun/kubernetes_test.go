package main

import (
	"testing"
	"time"

	"github.com/diffrun/diffrun"
	schemas "github.com/diffrun/diffrun/backends/declarative/idl/kubernetes"
	natives "github.com/diffrun/diffrun/backends/native/kubernetes"
	"github.com/diffrun/diffrun/cases"
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
