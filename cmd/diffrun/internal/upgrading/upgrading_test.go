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
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/smallcase"
	"github.com/diffrun/diffrun/internal/text/fieldvalue"
	"github.com/diffrun/diffrun/reports"
	"github.com/diffrun/diffrun/reports/record"
	"github.com/diffrun/diffrun/userfile"
)

var pods = schema.GroupVersionKind{Version: "v1", Kind: "Pod"}

// result returns the result of an object with a difference.
func result(source string, effect words.Effect, pairs ...equivalence.Pair) harness.Result {
	return harness.Result{
		Case:    &harness.Case{ID: source, Source: source, Object: map[string]any{}},
		Version: pods,
		Verdict: words.Different,
		Effect:  effect,
		Pairs:   pairs,
	}
}

func only(class difference.Class, err *field.Error) equivalence.Pair {
	if class == difference.TooLoose {
		return equivalence.Pair{Class: class, Native: err}
	}
	return equivalence.Pair{Class: class, Declarative: err}
}

func TestReport(t *testing.T) {
	name := func(value string) *field.Error {
		return field.Invalid(field.NewPath("spec", "containers").Index(0).Child("name"), value, "is too long")
	}
	gone := field.NotFound(field.NewPath("apiVersion"), "Kubernetes does not serve v1 in this release")
	stuck := result("c.yaml:1", words.Stuck, only(difference.TooStrict, name("c")))
	stuck.Stored = words.StoredRequests()[0]
	r := &strings.Builder{}
	flags := &Flags{from: "v1.33.13", to: "v1.37.2"}
	reporter := newReport(r, flags, false, true)
	long := only(difference.TooStrict, name("a"))
	long.Declared = []difference.Declared{
		{Place: "validateName, called by ValidatePodSpec", Position: "k8s.io/kubernetes@v1.37.2/pkg/apis/core/validation/validation.go:9"},
	}
	for _, one := range []harness.Result{
		result("a.yaml:1", words.Refuses, long),
		// The same cause at another index and with another value is the same line.
		result("b.yaml:1", words.Refuses,
			only(difference.TooStrict, field.Invalid(field.NewPath("spec", "containers").Index(1).Child("name"), "b", "is too long"))),
		stuck,
		result("d.yaml:1", words.Refuses, only(difference.TooStrict, gone)),
		result("e.yaml:1", words.Admits, only(difference.TooLoose, name("e"))),
		result("f.yaml:1", words.NoEffect, equivalence.Pair{
			Class:       difference.Detail,
			Native:      name("f"),
			Declarative: field.Invalid(field.NewPath("spec", "containers").Index(0).Child("name"), "f", "is long"),
		}),
		result("h.yaml:1", words.NoEffect, equivalence.Pair{Class: difference.Result,
			Native: fieldvalue.Result("spec.a", nil, false), Declarative: fieldvalue.Result("spec.a", 3, true)}),
		result("j.yaml:1", words.NoEffect, equivalence.Pair{Class: difference.Result,
			Native:      fieldvalue.Converted(fieldvalue.Result("spec.a", 1, true), "v1beta1"),
			Declarative: fieldvalue.Converted(fieldvalue.Result("spec.a", nil, false), "v1beta1")}),
		{Case: &harness.Case{ID: "i", Source: "i.yaml:1", Object: map[string]any{}}, Version: pods, Verdict: words.Equal,
			Effect: words.NoEffect,
			Native: harness.Outcome{Errors: field.ErrorList{name("i")}}, Declarative: harness.Outcome{Errors: field.ErrorList{name("i")}}},
		{Case: &harness.Case{ID: "g", Source: "g.yaml:1"}, Version: pods, Verdict: words.Faulted,
			Fault: &contract.Fault{Reason: words.FaultPanic, Err: fs.ErrInvalid}},
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
	if err := reporter.End(reports.Footer{
		LeftOut: []record.LeftOut{
			{Target: "example.com/v1 Widget", Cases: 2},
			{Target: "apiextensions.k8s.io/v1 CustomResourceDefinition", Cases: 1},
			{Target: "apiregistration.k8s.io/v1 APIService", Cases: 1},
		},
		Problems: []string{"a problem"},
	}); err != nil {
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
     1×  v1 Pod  apiVersion: Not found: "Kubernetes does not serve v1 in this release"
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

not compared: 2 objects of example.com/v1 Widget: neither release has the kind; a custom resource is validated by its ` +
		`definition: compare two releases of that with "diffrun schema compare", or objects with "diffrun run"

not compared: 1 object of apiextensions.k8s.io/v1 CustomResourceDefinition: the API server for definitions is no part ` +
		`of this comparison; compare two releases of a definition with "diffrun schema compare", and check one with "diffrun schema check"

not compared: 1 object of apiregistration.k8s.io/v1 APIService: the API server for aggregation is no part of this comparison

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
			_ = reporter.Result(harness.Result{Case: &harness.Case{}, Version: pods, Verdict: words.Equal, Effect: words.NoEffect})
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
		"elsewhere/audit.jsonl":        {Data: []byte(`{"object": {"apiVersion": "v1", "kind": "ConfigMap"}}` + "\n")},
		"elsewhere/anything/at/all.md": {Data: []byte("{}")},
	}
	flags := &Flags{
		from:    "v1.33.13",
		to:      "v1.37.2",
		toGates: map[string]string{"A": "true"},
		files:   []string{"manifests", "elsewhere/audit.jsonl", "-"},
	}
	skipped, err := flags.Read(disk, strings.NewReader("apiVersion: v1\n"))
	if err != nil {
		t.Fatal(err)
	}
	location, err := flags.Suite()
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
		"nowhere": "nowhere: -f: cannot be read: ",
		"empty":   "no objects of Kubernetes",
	} {
		flags := &Flags{from: "v1.33.13", to: "v1.37.2", files: []string{file}}
		if _, err := flags.Read(disk, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("-f %s: %v, want %q", file, err, want)
		}
	}
}

func TestCheckSaysAllMistakes(t *testing.T) {
	flags := &Flags{from: "1.33.", fromGates: map[string]string{"A": "yes"}}
	err := flags.Check()
	for _, want := range []string{`"1.33." is not a release`, "--to is missing", "-f is missing",
		"--from-gates A=yes: must be true or false"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Check: %v, want %q", err, want)
		}
	}
}

// TestReadSaysAllMistakes: those of all files, before a release is built.
func TestReadSaysAllMistakes(t *testing.T) {
	disk := fstest.MapFS{
		"a.yaml":     {Data: []byte("apiVersion: v1\nkind: Pod\nkind: Pod\n---\napiVersion: v1\nkind: [\n")},
		"in/b.json":  {Data: []byte(`{"apiVersion": "v1", "kind": ]`)},
		"in/ok.yaml": {Data: []byte("apiVersion: v1\nkind: Pod\n")},
		"c.jsonl":    {Data: []byte(`{"object": {"apiVersion": "v1", "kind": "Pod"}}` + "\nno JSON\n")},
	}
	flags := &Flags{from: "v1.33.13", to: "v1.37.2", files: []string{"a.yaml", "nowhere", "in", "c.jsonl", "-"}}
	_, err := flags.Read(disk, strings.NewReader("apiVersion: v1\nkind: {\n"))
	for _, want := range []string{"a.yaml:3: ", "a.yaml:6: ", "nowhere: ", "in/b.json:1: ", "c.jsonl:2: ", "stdin.yaml:"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Read: %v, want %q", err, want)
		}
	}
}

// TestLogsHaveOtherRequests: events of an audit log that are no cases are no mistakes.
func TestLogsHaveOtherRequests(t *testing.T) {
	disk := fstest.MapFS{
		"audit.jsonl": {Data: []byte(`{"kind": "Event", "apiVersion": "audit.k8s.io/v1", "stage": "RequestReceived", "verb": "get"}` +
			"\n\n")},
	}
	flags := &Flags{from: "v1.33.13", to: "v1.37.2", files: []string{"audit.jsonl"}}
	if _, err := flags.Read(disk, nil); err != nil {
		t.Error(err)
	}
}

// TestFilesAreNoPatterns: the name of a file may have brackets.
func TestFilesAreNoPatterns(t *testing.T) {
	flags := &Flags{from: "v1.33.13", to: "v1.37.2", files: []string{"a[1].yaml"}}
	if _, err := flags.Read(fstest.MapFS{"a[1].yaml": {Data: []byte("apiVersion: v1\nkind: Pod\n")}}, nil); err != nil {
		t.Fatal(err)
	}
	location, err := flags.Suite()
	if err != nil {
		t.Fatal(err)
	}
	text, err := fs.ReadFile(location.Files.FS, location.Name)
	if err != nil || !strings.Contains(string(text), `a\[1]`) {
		t.Errorf("the suite is %q, %v", text, err)
	}
}

func TestReleasesDiffer(t *testing.T) {
	for _, row := range []struct {
		why   string
		flags *Flags
		want  string // empty: accepted
	}{
		{"another release", &Flags{from: "v1.36.2", to: "v1.36.3"}, ""},
		{"the same", &Flags{from: "v1.36.3", to: "v1.36.3"}, "--from and --to are the same release, v1.36.3,"},
		{"the last patch of both", &Flags{from: "v1.36", to: "v1.36"}, "are the same release, v1.36,"},
		{"the cluster has it already", &Flags{from: "v1.36.3", to: "v1.36.3", cluster: true, fromCluster: true},
			"--cluster and --to are the same release"},
		{"its own version is no emulation", &Flags{from: "v1.36.3", to: "v1.36.3", toEmulates: "1.36"}, "are the same release, v1.36.3"},
		{"the end of an emulation", &Flags{from: "v1.36.3", fromEmulates: "1.35", to: "v1.36.3"}, ""},
		{"the same emulation", &Flags{from: "v1.36.3", fromEmulates: "1.35", to: "v1.36.3", toEmulates: "1.35"},
			"are the same release, v1.36.3 as 1.35,"},
		{"other gates", &Flags{from: "v1.36.3", to: "v1.36.3", toGates: map[string]string{"A": "true"}}, ""},
		{"the same gates", &Flags{
			from:      "v1.36.3",
			fromGates: map[string]string{"A": "true"},
			to:        "v1.36.3",
			toGates:   map[string]string{"A": "true"},
		}, "are the same release"},
	} {
		// Pin asks again, when the last patches are known.
		for name, err := range map[string]error{"checkReleases": row.flags.checkReleases(), "Check": row.flags.Check()} {
			if said := err != nil && strings.Contains(err.Error(), "the same release"); said != (row.want != "") || said &&
				!strings.Contains(err.Error(), row.want) {
				t.Errorf("%s: %s: %v, want %q", row.why, name, err, row.want)
			}
		}
	}
}

// TestMistakesNameTheirFlag: that of the release that is wrong, however many files the suite names.
func TestMistakesNameTheirFlag(t *testing.T) {
	disk := fstest.MapFS{}
	flags := &Flags{
		from:      "v1.33.13",
		to:        "v1.37.2",
		fromGates: map[string]string{"A": "true"},
		toGates:   map[string]string{"A": "true", "B": "true"},
	}
	for _, name := range []string{"a.yaml", "b.yaml", "c.yaml", "d.yaml", "e.yaml", "f.yaml", "g.yaml"} {
		disk[name] = &fstest.MapFile{Data: []byte("apiVersion: v1\nkind: Pod\n")}
		flags.files = append(flags.files, name)
	}
	if _, err := flags.Read(disk, nil); err != nil {
		t.Fatal(err)
	}
	location, err := flags.Suite()
	if err != nil {
		t.Fatal(err)
	}
	text, err := fs.ReadFile(location.Files.FS, location.Name)
	if err != nil {
		t.Fatal(err)
	}
	lineOf := func(key string) int {
		return strings.Count(string(text[:strings.Index(string(text), "\n"+key)+1]), "\n") + 2
	}
	for _, row := range []struct{ side, key, want string }{
		{"declarative:", "kubernetes", "--to: no such release"},
		{"native:", "kubernetes", "--from: no such release"},
		{"declarative:", "gates", "--to-gates: no such release"},
		{"native:", "gates", "--from-gates: no such release"},
	} {
		err := flags.Reworded(userfile.Mistakes{{Position: userfile.Position{File: suiteName, Line: lineOf(row.side)},
			Message: row.key + ": no such release"}})
		if err == nil || err.Error() != row.want {
			t.Errorf("%s %s: %v, want %q", row.side, row.key, err, row.want)
		}
	}
}

func TestFlagsThatWereGiven(t *testing.T) {
	for _, row := range []struct {
		flags     *Flags
		want, not string
	}{
		{&Flags{from: "v1.33.13", to: "v1.36.3", access: Access{Context: "x"}}, "--context x: only with --cluster", "--kubeconfig"},
		{&Flags{from: "v1.33.13", to: "v1.36.3", access: Access{Kubeconfig: "k"}}, "--kubeconfig k: only with --cluster", "--context"},
		{&Flags{from: "v1.36.3", fromEmulates: "1.30", to: "v1.37.2"}, "--from-emulates: v1.36.3 cannot emulate 1.30", "--from:"},
		{&Flags{from: "v1.36.3", to: "v1.37.2", toEmulates: "1.30"}, "--to-emulates: v1.37.2 cannot emulate 1.30", "--to:"},
		{&Flags{from: "v1.29.3", to: "v1.37.2", cluster: true, fromCluster: true}, `--cluster: "v1.29.3" is not supported`, "--from"},
	} {
		if err := row.flags.Check(); err == nil || !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), row.not) {
			t.Errorf("Check: %v, want %q and not %q", err, row.want, row.not)
		}
	}
}

// TestSpelled: a release may be written with or without its v, and with or without a patch.
func TestSpelled(t *testing.T) {
	for _, row := range []struct{ from, to, emulates, wantFrom, wantTo, wantEmulates string }{
		{"1.33", "1.36.3", "v1.32", "v1.33", "v1.36.3", "1.32"},
		{"v1.33.13", "v1.36", "1.32.4", "v1.33.13", "v1.36", "1.32"},
	} {
		flags := &Flags{from: row.from, to: row.to, fromEmulates: row.emulates, files: []string{"a.yaml"}}
		if err := flags.Check(); err != nil {
			t.Error(err)
		}
		if flags.from != row.wantFrom || flags.to != row.wantTo || flags.fromEmulates != row.wantEmulates {
			t.Errorf("%+v: %s, %s, %s", row, flags.from, flags.to, flags.fromEmulates)
		}
	}
	flags := &Flags{from: "1.33.x", to: "latest", files: []string{"a.yaml"}}
	err := flags.Check()
	for _, want := range []string{`--from: "1.33.x"`, `--to: "latest"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestCounted: what was read, and what cannot be judged, is known before a release is built.
func TestCounted(t *testing.T) {
	disk := fstest.MapFS{
		"a.yaml": {Data: []byte("{apiVersion: v1, kind: Pod}\n---\n{apiVersion: cert-manager.io/v1, kind: Issuer}\n---\n{apiVersion: " +
			"v1, kind: List, items: [{apiVersion: apps/v1, kind: Deployment}, {apiVersion: v1, kind: Pod}]}\n")},
		"audit.jsonl": {Data: []byte("{}\n{}\n")},
	}
	for want, files := range map[string][]string{
		"read 4 objects of 3 kinds\nnot judged, because no release of Kubernetes has validators for them: 1 Issuer.cert-manager.io; " +
			"compare two releases of a definition with \"diffrun schema compare\"": {"a.yaml"},
		"read 2 lines of requests": {"audit.jsonl"},
	} {
		flags := &Flags{files: files}
		if _, err := flags.Read(disk, nil); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(flags.Counted(), "\n"); got != want {
			t.Errorf("%s: %q, want %q", files, got, want)
		}
	}
}
