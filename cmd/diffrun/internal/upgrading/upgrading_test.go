package upgrading

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/findings/smallcase"
	"github.com/diffrun/diffrun/internal/text/fieldvalue"
	"github.com/diffrun/diffrun/reports"
)

var pods = schema.GroupVersionKind{Version: "v1", Kind: "Pod"}

// result returns the result of an object with a difference.
func result(source string, effect harness.Effect, pairs ...equivalence.Pair) harness.Result {
	return harness.Result{Case: &harness.Case{ID: source, Source: source, Object: map[string]any{}}, Version: pods, Verdict: harness.Different, Effect: effect, Pairs: pairs}
}

func only(class equivalence.Class, err *field.Error) equivalence.Pair {
	if class == equivalence.TooLoose {
		return equivalence.Pair{Class: class, Native: err}
	}
	return equivalence.Pair{Class: class, Declarative: err}
}

func TestReport(t *testing.T) {
	name := func(value string) *field.Error {
		return field.Invalid(field.NewPath("spec", "containers").Index(0).Child("name"), value, "is too long")
	}
	gone := field.NotFound(field.NewPath("apiVersion"), "Kubernetes v1.37.2 does not serve v1")
	stuck := result("c.yaml:1", harness.Stuck, only(equivalence.TooStrict, name("c")))
	stuck.Stored = harness.StoredRequests()[0]
	r := &strings.Builder{}
	flags := &Flags{from: "v1.33.13", to: "v1.37.2"}
	reporter := newReport(r, flags, false, true)
	long := only(equivalence.TooStrict, name("a"))
	long.Declared = []equivalence.Declared{{Place: "validateName, called by ValidatePodSpec", Position: "k8s.io/kubernetes@v1.37.2/pkg/apis/core/validation/validation.go:9"}}
	for _, one := range []harness.Result{
		result("a.yaml:1", harness.Refuses, long),
		// The same cause at another index and with another value is the same line.
		result("b.yaml:1", harness.Refuses, only(equivalence.TooStrict, field.Invalid(field.NewPath("spec", "containers").Index(1).Child("name"), "b", "is too long"))),
		stuck,
		result("d.yaml:1", harness.Refuses, only(equivalence.TooStrict, gone)),
		result("e.yaml:1", harness.Admits, only(equivalence.TooLoose, name("e"))),
		result("f.yaml:1", harness.NoEffect, equivalence.Pair{Class: equivalence.Detail, Native: name("f"), Declarative: field.Invalid(field.NewPath("spec", "containers").Index(0).Child("name"), "f", "is long")}),
		result("h.yaml:1", harness.NoEffect, equivalence.Pair{Class: equivalence.Result,
			Native: fieldvalue.Result("spec.a", nil, false), Declarative: fieldvalue.Result("spec.a", 3, true)}),
		result("j.yaml:1", harness.NoEffect, equivalence.Pair{Class: equivalence.Result,
			Native:      fieldvalue.Converted(fieldvalue.Result("spec.a", 1, true), "v1beta1"),
			Declarative: fieldvalue.Converted(fieldvalue.Result("spec.a", nil, false), "v1beta1")}),
		{Case: &harness.Case{ID: "i", Source: "i.yaml:1", Object: map[string]any{}}, Version: pods, Verdict: harness.Equal, Effect: harness.NoEffect,
			Native: harness.Outcome{Errors: field.ErrorList{name("i")}}, Declarative: harness.Outcome{Errors: field.ErrorList{name("i")}}},
		{Case: &harness.Case{ID: "g", Source: "g.yaml:1"}, Version: pods, Verdict: harness.Faulted, Fault: &harness.Fault{Reason: harness.FaultPanic, Err: fs.ErrInvalid}},
	} {
		if err := reporter.Result(one); err != nil {
			t.Fatal(err)
		}
	}
	for _, one := range flags.inquiry.order {
		if one.in == refused {
			one.since = "v1.35.4"
			one.small = &small{Case: smallcase.Case{Object: map[string]any{"kind": "Pod", "spec": map[string]any{}}}}
		}
	}
	if err := reporter.End(reports.Footer{LeftOut: []reports.LeftOut{{Target: "example.com/v1 Widget", Cases: 2}}, Problems: []string{"a problem"}}); err != nil {
		t.Fatal(err)
	}
	const want = `Kubernetes v1.33.13 → v1.37.2: 9 requests

stuck: v1.37.2 refuses to update these stored objects, even without a change
     1×  v1 Pod  spec.containers[0].name: Invalid value: "c": is too long
         first: c.yaml:1

refused: v1.37.2 refuses what v1.33.13 accepts
     2×  v1 Pod  spec.containers[0].name: Invalid value: "a": is too long
         since v1.35.4: pkg/apis/core/validation/validation.go:9 validateName, called by ValidatePodSpec
         first: a.yaml:1
             kind: Pod
             spec: {}

gone: v1.37.2 does not serve the API version
     1×  v1 Pod  apiVersion: Not found: "Kubernetes v1.37.2 does not serve v1"
         first: d.yaml:1

accepted: v1.37.2 accepts what v1.33.13 refuses; after a rollback it is refused
     1×  v1 Pod  spec.containers[0].name: Invalid value: "e": is too long
         first: e.yaml:1

stored otherwise: the defaults, kept fields or conversions to other versions differ (v1.33.13 → v1.37.2)
     1×  v1 Pod  spec.a: absent → 3
         first: h.yaml:1
     1×  v1 Pod  spec.a: 1 → absent, read in v1beta1
         first: j.yaml:1

refused by both, with other errors
     1×  v1 Pod  spec.containers[0].name: Invalid value: "f": is too long → Invalid value: "f": is long
         first: f.yaml:1

no verdict: these requests were not compared
     1×  v1 Pod  invalid argument
         first: g.yaml:1

not compared: 2 objects of example.com/v1 Widget, which no release has

1 request refused by both releases

problem of this run: a problem
`
	if diff := cmp.Diff(want, r.String()); diff != "" {
		t.Error(diff)
	}
}

func TestQuiet(t *testing.T) {
	for _, row := range []struct {
		why, want string
		results   int
	}{
		{"nothing was found", "v1.37.2 treats all of them as v1.33.13 does", 2},
		{"nothing was looked at, so nothing is said about it", "0 requests", 0},
	} {
		r := &strings.Builder{}
		reporter := newReport(r, &Flags{from: "v1.33.13", to: "v1.37.2"}, true, false)
		for range row.results {
			_ = reporter.Result(harness.Result{Case: &harness.Case{}, Version: pods, Verdict: harness.Equal, Effect: harness.NoEffect})
		}
		_ = reporter.End(reports.Footer{})
		if !strings.Contains(r.String(), row.want) || row.results == 0 && strings.Contains(r.String(), "treats all") {
			t.Errorf("%s: %s", row.why, r)
		}
	}
}

func TestSuite(t *testing.T) {
	disk := fstest.MapFS{
		"manifests/a.yaml":             {Data: []byte("apiVersion: v1\nkind: ConfigMap\n")},
		"manifests/deep/b.json":        {Data: []byte(`{"apiVersion": "v1", "kind": "ConfigMap"}`)},
		"manifests/values.yaml":        {Data: []byte("replicas: 3\n")},
		"manifests/README.md":          {Data: []byte("apiVersion kind")},
		"elsewhere/audit.jsonl":        {Data: []byte("{}")},
		"elsewhere/anything/at/all.md": {Data: []byte("{}")},
	}
	flags := &Flags{from: "v1.33.13", to: "v1.37.2", toGates: map[string]string{"A": "true"}, files: []string{"manifests", "elsewhere/audit.jsonl", "-"}}
	location, skipped, err := flags.Suite(disk, strings.NewReader("apiVersion: v1\n"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := fs.ReadFile(location.Files.FS, location.Name)
	if err != nil {
		t.Fatal(err)
	}
	const want = `cases:
- manifests/a.yaml
- manifests/deep/b.json
- elsewhere/audit.jsonl
- stdin.yaml
declarative:
  gates:
    A: true
  kubernetes: v1.37.2
name: upgrade
native:
  kubernetes: v1.33.13
`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"manifests/values.yaml"}, skipped); diff != "" {
		t.Error(diff)
	}
	if sent, err := fs.ReadFile(location.Files.FS, "stdin.yaml"); err != nil || string(sent) != "apiVersion: v1\n" {
		t.Errorf("stdin.yaml is %q, %v", sent, err)
	}
}

func TestSuiteMistakes(t *testing.T) {
	disk := fstest.MapFS{"empty/values.yaml": {Data: []byte("a: 1\n")}}
	for file, want := range map[string]string{
		"nowhere": "-f nowhere:",
		"empty":   "no objects of Kubernetes",
	} {
		flags := &Flags{from: "v1.33.13", to: "v1.37.2", files: []string{file}}
		if _, _, err := flags.Suite(disk, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("-f %s: %v, want %q", file, err, want)
		}
	}
}

func TestCheckSaysAllMistakes(t *testing.T) {
	flags := &Flags{from: "1.33", fromGates: map[string]string{"A": "yes"}}
	err := flags.Check()
	for _, want := range []string{`"1.33" is not a release`, "--to is missing", "-f is missing", "--from-gates A=yes: must be true or false"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Check: %v, want %q", err, want)
		}
	}
}
