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

	"github.com/diffrun/diffrun"
	"github.com/diffrun/diffrun/backends/declarative/defaulting"
	"github.com/diffrun/diffrun/backends/declarative/idl"
	schemas "github.com/diffrun/diffrun/backends/declarative/kubernetes"
	natives "github.com/diffrun/diffrun/backends/native/kubernetes/registry"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/testing/slowtest"
)

// accepting is a backend that accepts everything and declares the defaults of a schema.
type accepting struct {
	name     string
	defaults func() (func(map[string]any) map[string]any, error)
}

func (a accepting) Name() string { return a.name }

func (accepting) Validate(context.Context, *harness.Input) (field.ErrorList, error) { return nil, nil }

func (a accepting) Capabilities() contract.Capabilities {
	return contract.Capabilities{Defaults: a.defaults, DefaultExceptions: func() (*equivalence.Exceptions, error) { return nil, nil }}
}

// defaultsOf returns a target that compares only the defaults of a kind.
func defaultsOf(t *testing.T, kind schema.GroupKind, options harness.Options,
	defaults func(schema.GroupVersionKind) func() (func(map[string]any) map[string]any, error)) *harness.Harness {
	t.Helper()
	target, err := natives.NewTarget(kind, func(version schema.GroupVersionKind) (harness.Backend, error) {
		return accepting{contract.DeclarativeName, defaults(version)}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range target.Versions {
		target.Versions[i].Native = accepting{name: contract.NativeName}
	}
	h, err := harness.New(target, options)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestUndeclaredDefaults checks that the bundled suites use each exception for defaults, that none has
// expired, and that no other default differs.
func TestUndeclaredDefaults(t *testing.T) {
	slowtest.Skip(t)
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
			return contract.CapabilitiesOf(backend).Defaults()
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
					if pair.Class != difference.Default {
						continue
					}
					what := apiname.Target(result.Version) + " " + pair.Field() + ": native " + pair.Native.Detail + ", declarative " +
						pair.Declarative.Detail
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
	for _, usage := range ledger.Usages() {
		if problem := usage.Problem(); problem != "" {
			t.Error(problem)
		}
	}
}

// bundledPlan loads the bundled suites.
func bundledPlan(t *testing.T) *cases.Plan {
	t.Helper()
	bundle := &cases.Files{FS: diffrun.Bundle()}
	var places []cases.Location
	err := fs.WalkDir(bundle.FS, "cases", func(name string, _ fs.DirEntry, err error) error {
		if path.Base(name) == cases.SuiteFile {
			places = append(places, cases.Location{Files: bundle, Name: name})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := cases.Load(places, cases.Options{Builtins: builtins(), Now: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// TestWrongDefaultInAnOverlay checks that a wrong or missing default of an overlay is a difference.
func TestWrongDefaultInAnOverlay(t *testing.T) {
	undeclared, err := schemas.Undeclared(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	const file, line = "core-defaults.yaml", `      dnsPolicy: ['+default="ClusterFirst"']`
	for _, tt := range []struct {
		why, line string
		want      []string
	}{
		{"as it is", line, nil},
		{"a different value", `      dnsPolicy: ['+default="Default"']`,
			[]string{`dnsPolicy: "ClusterFirst" after defaulting, "Default" after defaulting`}},
		{"no default", `      dnsPolicy: []`, []string{`dnsPolicy: "ClusterFirst" after defaulting, absent after defaulting`}},
		{"a default of a different field", line + "\n      hostIPC: [+default=true]",
			[]string{"hostIPC: absent after defaulting, true after defaulting"}},
	} {
		t.Run(tt.why, func(t *testing.T) {
			version := schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
			defaults := defaultsWith(t, file, line, tt.line)
			h := defaultsOf(t, version.GroupKind(), harness.Options{Exceptions: undeclared},
				func(of schema.GroupVersionKind) func() (func(map[string]any) map[string]any, error) {
					return func() (func(map[string]any) map[string]any, error) {
						if of != version {
							return nil, nil
						}
						return defaults, nil
					}
				})
			results, err := h.Check(t.Context(),
				harness.Case{Object: map[string]any{"apiVersion": "apps/v1", "kind": "Deployment",
					"metadata": map[string]any{"name": "a", "namespace": "b"},
					"spec": map[string]any{
						"template": map[string]any{"spec": map[string]any{"containers": []any{map[string]any{"name": "a", "image": "b"}}}},
					}}})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, result := range results {
				for _, pair := range result.Pairs {
					// No overlay applies to the package of the root here, so fields outside of the
					// template differ.
					if field, inside := strings.CutPrefix(pair.Field(), "spec.template.spec."); inside && !pair.Explained() {
						got = append(got, field+": "+pair.Native.Detail+", "+pair.Declarative.Detail)
					}
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("differences (-want +got):\n%s", diff)
			}
		})
	}
}

// defaultsWith generates the schema of a Deployment with a changed line in an overlay, and returns the
// backend that declares its defaults.
func defaultsWith(t *testing.T, file, line, other string) func(map[string]any) map[string]any {
	t.Helper()
	overlays, err := schemas.Overlays()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("../../backends/declarative/kubernetes/overlays/" + file)
	if err != nil || strings.Count(string(data), line) != 1 {
		t.Fatalf("%v; the line %q is there %d times", err, line, strings.Count(string(data), line))
	}
	changed, err := idl.ReadOverlay(file, []byte(strings.Replace(string(data), line, other, 1)))
	if err != nil {
		t.Fatal(err)
	}
	changed.Bundled = true
	at := slices.IndexFunc(overlays, func(o *idl.Overlay) bool { return strings.HasSuffix(o.File, ":"+file) })
	overlays[at] = changed
	root := idl.TypeName{Package: "k8s.io/api/apps/v1", Name: "Deployment"}
	result, err := idl.Generate(idl.Config{
		Roots:    []idl.TypeName{root},
		Overlays: overlays,
		Reading:  idl.Reading{Options: schemas.DefaultOptions()},
	})
	if err != nil {
		t.Fatal(err)
	}
	defaulter, err := defaulting.Compile(result.Definitions[root.Definition()], defaulting.Options{Definitions: result.Definitions})
	if err != nil {
		t.Fatal(err)
	}
	return defaulter.Default
}
