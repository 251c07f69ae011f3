package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const root = "../.."

// TestRecordedFunctions fails if Kubernetes was upgraded, or an overlay names another function, and nobody
// compared the rules with the functions.
func TestRecordedFunctions(t *testing.T) {
	recorded, err := readRecord("functions.txt")
	if err != nil {
		t.Fatal(err)
	}
	now, err := readFunctions(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	if len(now.digests) < 600 {
		t.Fatalf("%d functions; the test reads less than it did", len(now.digests))
	}
	if recorded.release != now.release {
		t.Errorf("functions.txt is about %s, go.mod requires %s", recorded.release, now.release)
	}
	for _, change := range slices.Concat(now.misplaced(), now.changes(recorded)) {
		t.Error(change)
	}
	if t.Failed() {
		t.Log("compare the rules with the functions, then: (cd dev && go run ./kubernetesupgrade -record)")
	}
}

func TestChanges(t *testing.T) {
	recorded := &functions{release: "v1.1.0", digests: map[string]string{"p.Same": "a", "p.Changed": "a", "p.Gone": "a", "p.Unnamed": "a"}}
	now := &functions{digests: map[string]string{"p.Same": "a", "p.Changed": "b", "p.New": "a"},
		places: map[string][]place{
			"Same":    {{line: "a.yaml:1"}},
			"Changed": {{line: "a.yaml:2"}, {line: "b.yaml:3"}},
			"Gone":    {{line: "a.yaml:4"}},
			"New":     {{line: "b.yaml:5"}},
		}}
	want := []string{
		"changed since v1.1.0: p.Changed, named in a.yaml:2, b.yaml:3",
		"gone since v1.1.0: p.Gone, named in a.yaml:4",
		"not recorded at v1.1.0: p.New, named in b.yaml:5",
		"no overlay names it any more: p.Unnamed",
	}
	if diff := cmp.Diff(want, now.changes(recorded)); diff != "" {
		t.Error(diff)
	}
}

func TestDigests(t *testing.T) {
	const overlay = "# validateJob, parseIndexes\nsets: {}\n"
	before := "package p\n\n// validateJob does.\nfunc validateJob() int { return 1 }\n"
	for _, row := range []struct {
		why, after string
		changed    bool
	}{
		{"comments and blanks are no change", "package p\nfunc validateJob() int {\n\treturn 1 // one\n}\n", false},
		{"a bound is", "package p\nfunc validateJob() int { return 2 }\n", true},
		{"another function is not", before + "func other() {}\n", false},
	} {
		digest := func(source string) map[string]string {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "overlays", "a.yaml"), overlay)
			write(t, filepath.Join(dir, "pkg", "job.go"), source)
			f := &functions{digests: map[string]string{}, places: map[string][]place{}}
			if err := f.readNames(filepath.Join(dir, "overlays")); err != nil {
				t.Fatal(err)
			}
			if err := f.readSources("m", dir, "pkg"); err != nil {
				t.Fatal(err)
			}
			return f.digests
		}
		a, b := digest(before), digest(row.after)
		if changed := a["m/pkg.validateJob"] != b["m/pkg.validateJob"]; changed != row.changed || len(a) != 1 {
			t.Errorf("%s: changed: %v, from %v to %v", row.why, changed, a, b)
		}
	}
}

func TestNewFields(t *testing.T) {
	before := fields{"a.Spec.old": false}
	after := fields{"a.Spec.old": false, "a.Spec.bounded": true, "a.Spec.text": false, "a.Spec.other": false, "a.New.text": false}
	want := []string{"new type with fields without a rule: a.New: text", "new fields without a rule: a.Spec: other, text"}
	if diff := cmp.Diff(want, newFields(before, after)); diff != "" {
		t.Error(diff)
	}
}

// TestSourceFile: a function that a comment names with its file is no other one of the same name.
func TestSourceFile(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "overlays", "a.yaml"), "# ValidateUpdate (pkg/registry/cronjob/strategy.go)\n# validateJob\n")
	for _, folder := range []string{"cronjob", "job"} {
		write(t, filepath.Join(dir, "pkg/registry", folder, "strategy.go"), "package p\nfunc ValidateUpdate() {}\nfunc validateJob() {}\n")
	}
	f := &functions{digests: map[string]string{}, places: map[string][]place{}}
	if err := f.readNames(filepath.Join(dir, "overlays")); err != nil {
		t.Fatal(err)
	}
	if err := f.readSources("k8s.io/kubernetes", dir, "pkg"); err != nil {
		t.Fatal(err)
	}
	const registry = "k8s.io/kubernetes/pkg/registry/"
	want := []string{registry + "cronjob.ValidateUpdate", registry + "cronjob.validateJob", registry + "job.validateJob"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(f.digests))); diff != "" {
		t.Error(diff)
	}
	f.places["validateElse"] = []place{{line: "a.yaml:3", folder: "pkg/registry/job"}}
	if got := f.misplaced(); !slices.Equal(got, []string{"a.yaml:3: no function validateElse in pkg/registry/job"}) {
		t.Errorf("misplaced: %q", got)
	}
	want = []string{
		"not recorded at v1.1.0: " + registry + "cronjob.ValidateUpdate, named in a.yaml:1",
		"not recorded at v1.1.0: " + registry + "cronjob.validateJob, named in a.yaml:2",
		"not recorded at v1.1.0: " + registry + "job.validateJob, named in a.yaml:2",
	}
	if diff := cmp.Diff(want, f.changes(&functions{release: "v1.1.0", digests: map[string]string{}})); diff != "" {
		t.Error(diff)
	}
}

// TestReadFields holds what counts as a rule against the schemas of Jobs.
func TestReadFields(t *testing.T) {
	all, err := readFields(filepath.Join(root, schemas))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		path              string
		is, isConstrained bool
		why               string
	}{
		{"JobSpec.parallelism", true, true, "has a minimum"},
		{"JobStatus.completionTime", true, true, "a rule of the status reads it"},
		{"JobStatus.conditions.message", true, false, "is any text"},
		{"JobStatus.conditions.lastProbeTime", true, true, "has a format of a text"},
		{"JobStatus.observedGeneration", false, false, "is no field"},
		{"Job.metadata.selfLink", false, false, "is a field of all kinds"},
		{"UncountedTerminatedPods.failed", true, true, "has items that are not empty"},
		{"PodFailurePolicyOnExitCodesRequirement.values", true, true, "is a set"},
		{"JobSpec.podFailurePolicy", false, false, "has fields of its own"},
		{"PodFailurePolicy.rules", false, false, "has items with fields of their own"},
	} {
		isConstrained, is := all["io.k8s.api.batch.v1."+row.path]
		if is != row.is || isConstrained != row.isConstrained {
			t.Errorf("%s: listed %v, constrained %v, but it %s", row.path, is, isConstrained, row.why)
		}
	}
}

// TestRequirements reads the go.mod of the release that this repository requires.
func TestRequirements(t *testing.T) {
	now, err := readFunctions(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	required, staging, err := requirementsOf(t.Context(), now.release)
	if err != nil {
		t.Fatal(err)
	}
	if want := "v0" + strings.TrimPrefix(now.release, "v1"); required["k8s.io/api"] != want || !slices.Contains(staging, "k8s.io/api") {
		t.Errorf("k8s.io/api %s, want %s; staging: %v", required["k8s.io/api"], want, staging)
	}
	if required["github.com/google/cel-go"] == "" && required["cel.dev/cel-go"] == "" {
		t.Error("no version of cel-go")
	}
	if decisions, err := unimported(root, staging); err != nil || len(decisions) > 0 {
		t.Errorf("%v %v", decisions, err)
	}
	if decisions, err := unimported(root, []string{"k8s.io/new"}); err != nil || len(decisions) != 1 {
		t.Errorf("a new module: %v %v", decisions, err)
	}
	for _, wrong := range []string{"1.38.0", "v1.38", "v2.0.0"} {
		if _, err := upgrade(t.Context(), os.Stderr, root, wrong); err == nil || !strings.Contains(err.Error(), "v1.38.0") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
