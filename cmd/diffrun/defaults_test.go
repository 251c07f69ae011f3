package main

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun"
	"github.com/diffrun/diffrun/backends/declarative/defaulting"
	"github.com/diffrun/diffrun/backends/declarative/idl"
	schemas "github.com/diffrun/diffrun/backends/declarative/idl/kubernetes"
	natives "github.com/diffrun/diffrun/backends/native/kubernetes"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
)

// accepting is a backend that accepts everything and declares the defaults of a schema.
type accepting struct {
	name     string
	defaults func() (func(map[string]any) map[string]any, error)
}

func (a accepting) Name() string { return a.name }

func (accepting) Validate(context.Context, *harness.Input) (field.ErrorList, error) { return nil, nil }

func (a accepting) Defaults() (func(map[string]any) map[string]any, error) { return a.defaults() }

// defaultsOf binds a kind to its defaults alone: nothing is validated.
func defaultsOf(t *testing.T, kind schema.GroupKind, options harness.Options, defaults func(schema.GroupVersionKind) func() (func(map[string]any) map[string]any, error)) *harness.Harness {
	t.Helper()
	target, err := natives.NewTarget(kind, func(version schema.GroupVersionKind) (harness.Backend, error) {
		return accepting{harness.DeclarativeName, defaults(version)}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range target.Versions {
		target.Versions[i].Native = accepting{name: harness.NativeName}
	}
	h, err := harness.New(target, options)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestUndeclaredDefaults: over the bundled suites, each exception for defaults is used and has not
// expired, and no other default differs.
func TestUndeclaredDefaults(t *testing.T) {
	undeclared, err := schemas.Undeclared(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	ledger := equivalence.NewLedger(nil, undeclared)
	backends := schemas.NewBackends()
	declared := func(version schema.GroupVersionKind) func() (func(map[string]any) map[string]any, error) {
		return func() (func(map[string]any) map[string]any, error) {
			backend, err := backends.Backend(version)
			if err != nil {
				return nil, err
			}
			return backend.(harness.DeclaringDefaults).Defaults()
		}
	}
	harnesses := map[schema.GroupKind]*harness.Harness{}
	others := map[string]string{} // the first case, by what differs
	for _, suite := range bundledPlan(t).Suites {
		for job, err := range suite.Jobs(cases.JobOptions{}) {
			if err != nil {
				t.Fatal(err)
			}
			kind := job.Harness.Target().Kind
			if harnesses[kind] == nil {
				harnesses[kind] = defaultsOf(t, kind, harness.Options{Exceptions: undeclared, Ledger: ledger}, declared)
			}
			results, err := harnesses[kind].Check(t.Context(), job.Case)
			if err != nil {
				t.Fatal(err)
			}
			for _, result := range results {
				for _, pair := range result.Pairs {
					what := harness.TargetName(result.Version) + " " + pair.Field() + ": native " + after(pair.Native) + ", declarative " + after(pair.Declarative)
					if _, known := others[what]; !pair.Explained() && !known {
						others[what] = job.Case.ID
					}
				}
			}
		}
	}
	for _, what := range slices.Sorted(maps.Keys(others)) {
		t.Errorf("%s (%s): declare the default in an overlay, or say in an exception on which fields it depends", what, others[what])
	}
	for _, finding := range ledger.Report() {
		t.Errorf("%s", finding)
	}
}

// bundledPlan loads the bundled suites.
func bundledPlan(t *testing.T) *cases.Plan {
	t.Helper()
	bundle := &cases.Files{FS: diffrun.Bundle()}
	var places []cases.Place
	err := fs.WalkDir(bundle.FS, bundledSuites, func(name string, _ fs.DirEntry, err error) error {
		if path.Base(name) == cases.SuiteFile {
			places = append(places, cases.Place{Files: bundle, Name: name})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := cases.Load(places, cases.Options{Builtins: kubernetesBuiltins(), Now: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// TestWrongDefaultInAnOverlay: a default that an overlay gets wrong, or forgets, is a difference.
func TestWrongDefaultInAnOverlay(t *testing.T) {
	const file, line = "core-defaults.yaml", `      type: ['+default="Opaque"']`
	for _, tt := range []struct{ why, line, want string }{
		{"another value", `      type: ['+default="opaque"']`, `type: "Opaque" after defaulting, "opaque" after defaulting`},
		{"no default", `      type: []`, `type: "Opaque" after defaulting, absent`},
		{"a default of another field", line + "\n      immutable: [+default=true]", "immutable: absent, true after defaulting"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			root, definitions := secretWith(t, file, line, tt.line)
			defaulter, err := defaulting.Compile(root, defaulting.Options{Definitions: definitions})
			if err != nil {
				t.Fatal(err)
			}
			h := defaultsOf(t, schema.GroupKind{Kind: "Secret"}, harness.Options{}, func(schema.GroupVersionKind) func() (func(map[string]any) map[string]any, error) {
				return func() (func(map[string]any) map[string]any, error) { return defaulter.Default, nil }
			})
			results, err := h.Check(t.Context(), harness.Case{Object: map[string]any{"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "a", "namespace": "b"}}})
			if err != nil || results[0].Verdict != harness.Different {
				t.Fatalf("%v, %v", results[0].Verdict, err)
			}
			var got []string
			for _, pair := range results[0].Pairs {
				got = append(got, pair.Field()+": "+after(pair.Native)+", "+after(pair.Declarative))
			}
			if diff := cmp.Diff([]string{tt.want}, got); diff != "" {
				t.Errorf("differences (-want +got):\n%s", diff)
			}
		})
	}
}

func after(side *field.Error) string {
	if side == nil {
		return "absent"
	}
	return side.Detail
}

// secretWith generates the schema of a Secret with another line in an overlay.
func secretWith(t *testing.T, file, line, other string) (*spec.Schema, map[string]*spec.Schema) {
	t.Helper()
	overlays, err := schemas.Overlays()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("../../backends/declarative/idl/kubernetes/overlays/" + file)
	if err != nil || strings.Count(string(data), line) != 1 {
		t.Fatalf("%v; the line %q is there %d times", err, line, strings.Count(string(data), line))
	}
	changed, err := idl.ReadOverlay(file, []byte(strings.Replace(string(data), line, other, 1)))
	if err != nil {
		t.Fatal(err)
	}
	changed.Bundled = true
	at := slices.IndexFunc(overlays, func(o *idl.Overlay) bool { return path.Base(strings.TrimPrefix(o.File, "diffrun:")) == file })
	overlays[at] = changed
	secret := idl.TypeName{Package: "k8s.io/api/core/v1", Name: "Secret"}
	result, err := idl.Generate(idl.Config{Roots: []idl.TypeName{secret}, Overlays: overlays, Reading: idl.Reading{Options: schemas.DefaultOptions()}})
	if err != nil {
		t.Fatal(err)
	}
	return result.Definitions[secret.Definition()], result.Definitions
}
