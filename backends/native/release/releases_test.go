package release_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/backends/native/release"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness/words"
)

// accepting is a program of a release that accepts everything. It has the kinds that KINDS stands for.
const accepting = `#!/bin/sh
case "$*" in *Nope=*) echo 'unrecognized feature gate: Nope' >&2; exit 1;; *-kinds*) cat <<'END'
KINDS
END
exit;; esac
while read -r line; do
  uid=${line#*'"uid":"'}
  echo '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"'"${uid%%'"'*}"'","allowed":true}}'
done
`

// kind is a resource of a program, as -kinds prints it.
func kind(group, version, name, more string) string {
	return `{"group":"` + group + `","version":"` + version + `","kind":"` + name + `","resource":"` + strings.ToLower(name) +
		`s","operations":["CREATE","UPDATE"]` + more + `}`
}

// programs puts programs of releases into the cache of the user.
func programs(t *testing.T, kinds map[string][]string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs are scripts")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	user, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	for version, list := range kinds {
		folder := release.Programs(filepath.Join(user, "diffrun", "kubernetes"), version)
		script := strings.Replace(accepting, "KINDS", strings.Join(list, "\n"), 1)
		for name, text := range map[string]string{"kubernetes": script, "complete": version} {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// load loads a suite of two releases, and returns what was downloaded or built.
func load(t *testing.T, native, declarative, objects string) (plan *cases.Plan, built []string, err error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"suite.yaml": "name: up\nnative: " + native + "\ndeclarative: " + declarative + "\ncases: [cases.yaml]\n",
		"cases.yaml": objects,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	starting := func(doing string) func() {
		built = append(built, doing)
		return func() {}
	}
	plan, err = cases.Load([]cases.Location{{Files: &cases.Files{FS: os.DirFS(dir), OnDisk: true}, Name: "suite.yaml"}},
		cases.Options{Starting: starting})
	return plan, built, err
}

// TestNotServed: a version that only one release serves is a difference, and one that neither serves is none.
func TestNotServed(t *testing.T) {
	both := []string{
		kind("a", "v1", "Thing", ""),
		kind("a", "v1beta1", "Thing", `,"removed":true`),
		kind("b", "v1", "Former", `,"removed":true`),
	}
	programs(t, map[string][]string{"v1.33.13": append(slices.Clone(both[:2]), kind("b", "v1", "Former", "")), "v1.36.3": both})
	const objects = `{apiVersion: a/v1, kind: Thing, metadata: {name: served}}
---
{apiVersion: a/v1beta1, kind: Thing, metadata: {name: neither}}
---
{apiVersion: b/v1, kind: Former, metadata: {name: gone}}
`
	plan, _, err := load(t, "{kubernetes: v1.33.13}", "{kubernetes: v1.36.3}", objects)
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	want := map[string]words.Verdict{"served": words.Equal, "neither": words.Equal, "gone": words.Different}
	for job, err := range plan.Suites[0].Jobs(cases.JobOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		results, err := job.Harness.Check(context.Background(), job.Case)
		if err != nil {
			t.Fatal(err)
		}
		for _, result := range results {
			name := result.Case.Object.(map[string]any)["metadata"].(map[string]any)["name"].(string)
			if result.Verdict != want[name] {
				t.Errorf("%s: %v, want %v: %v, %v", name, result.Verdict, want[name], result.Native, result.Declarative)
			}
		}
		delete(want, job.Case.Object.(map[string]any)["metadata"].(map[string]any)["name"].(string))
	}
	if len(want) > 0 {
		t.Errorf("not compared: %v", want)
	}
}

// TestMistakesBeforeBuilds: mistakes of all files and of both releases are reported before one is built.
func TestMistakesBeforeBuilds(t *testing.T) {
	programs(t, map[string][]string{"v1.33.13": {kind("a", "v1", "Thing", "")}})
	t.Setenv("GOPROXY", "off")
	_, built, err := load(t, "{kubernetes: v1.33.13}", "{kubernetes: v1.36.99}", "cases:\n- nme: x\n")
	for _, want := range []string{"cases.yaml:2: ", "suite.yaml:3: kubernetes: release v1.36.99 of Kubernetes cannot be downloaded"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Load: %v, want %q", err, want)
		}
	}
	if slices.ContainsFunc(built, func(doing string) bool { return strings.HasPrefix(doing, "building") }) {
		t.Errorf("built: %q", built)
	}
}

// TestGates: a feature gate that a release does not have is a mistake in the gates of its side.
func TestGates(t *testing.T) {
	programs(t, map[string][]string{"v1.33.13": {kind("a", "v1", "Thing", "")}, "v1.36.3": {kind("a", "v1", "Thing", "")}})
	_, _, err := load(t, "{kubernetes: v1.33.13}", "{kubernetes: v1.36.3, gates: {Nope: true}}",
		"{apiVersion: a/v1, kind: Thing, metadata: {name: a}}\n")
	if err == nil || !strings.Contains(err.Error(), "suite.yaml:3: gates: feature gates of Kubernetes v1.36.3: "+
		"unrecognized feature gate: Nope") {
		t.Errorf("Load: %v", err)
	}
}
