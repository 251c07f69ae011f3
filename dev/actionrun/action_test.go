package actionrun_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/dev/actionrun"
	"github.com/diffrun/diffrun/internal/testing/slowtest"
)

const (
	root = "../.."
	name = "diffrun/diffrun"
)

// TestGitHub runs the action of the repository, and the workflow of the examples, with their
// commands as they stand. Both build diffrun in one place, because linking takes long.
func TestGitHub(t *testing.T) {
	slowtest.Skip(t)
	temp := t.TempDir()
	// Otherwise the first case would wait for the example, on a busy machine longer than its
	// time-out.
	example := exec.CommandContext(t.Context(), "go", "run", "./examples/webhook")
	example.Dir = root
	if out, err := example.CombinedOutput(); err != nil {
		t.Fatalf("the example does not run: %v: %s", err, out)
	}
	t.Run("action", func(t *testing.T) { testAction(t, newRunner(t, temp)) })
	t.Run("workflow", func(t *testing.T) { testWorkflow(t, newRunner(t, temp)) })
}

// testAction builds diffrun, or downloads a release, and compares.
func testAction(t *testing.T, r *actionrun.Runner) {
	t.Run("equal", func(t *testing.T) {
		ran := use(t, r, map[string]string{"suites": "examples/webhook"})
		if ran.Failed || ran.Outputs["status"] != "0" || !strings.Contains(ran.Summary, "as wanted") {
			t.Errorf("status %q, failed %t\n%s\nsummary: %s", ran.Outputs["status"], ran.Failed, ran.Log, ran.Summary)
		}
		if _, err := os.Stat(filepath.Join(r.Dir, "diffrun.jsonl")); err != nil {
			t.Error(err)
		}
	})
	t.Run("the version is the one that the workflow names", func(t *testing.T) {
		printed, err := exec.CommandContext(t.Context(), filepath.Join(r.Temp, "diffrun", "diffrun"), "version").Output()
		if err != nil || !strings.HasPrefix(string(printed), "diffrun v1.2.3,") {
			t.Errorf("%v: %s", err, printed)
		}
	})
	t.Run("different", func(t *testing.T) {
		ran := use(t, r, map[string]string{"suites": "examples/webhook/draft.yaml", "flags": "--run=two years|half past\n--expiring=0\n"})
		if !ran.Failed || !strings.Contains(ran.Log, "\n::error") || !strings.Contains(ran.Summary, "spec.keep") {
			t.Errorf("failed %t\n%s\nsummary: %s", ran.Failed, ran.Log, ran.Summary)
		}
	})
	t.Run("a part that differs passes", func(t *testing.T) {
		ran := use(t, r, map[string]string{"suites": "examples/webhook/draft.yaml", "shard": "1/1", "report": "part.jsonl"})
		if ran.Failed || ran.Outputs["status"] != "1" || ran.Summary != "" || ran.Outputs["report"] != "part.jsonl" {
			t.Errorf("%+v", ran)
		}
		if ran = use(t, r, map[string]string{"merge": "part.*"}); !ran.Failed || !strings.Contains(ran.Summary, "spec.keep") {
			t.Errorf("the parts joined: %+v", ran)
		}
	})
	t.Run("a part with a mistake fails", func(t *testing.T) {
		if ran := use(t, r, map[string]string{"suites": "no-such-suite", "shard": "1/2"}); !ran.Failed || !strings.Contains(ran.Log, "no-such-suite") {
			t.Errorf("%+v", ran)
		}
	})
	t.Run("a release", func(t *testing.T) { useRelease(t, r) })
}

// useRelease downloads a release from a directory, with its checksum and with another one.
func useRelease(t *testing.T, r *actionrun.Runner) {
	releases := t.TempDir()
	built, err := filepath.Abs(filepath.Join(r.Temp, "diffrun", "diffrun"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(releases, "diffrun"), "#!/bin/sh\necho this is a release\nexec "+built+" \"$@\"\n", 0o700)
	archive := filepath.Join(releases, "v9", "diffrun_linux_amd64.tar.gz")
	if err := os.Mkdir(filepath.Dir(archive), 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "tar", "-czf", archive, "-C", releases, "diffrun").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	data, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	other := *r
	other.Temp = t.TempDir()
	other.Env = map[string]string{"RELEASES": "file://" + releases}
	sums := filepath.Join(releases, "v9", "checksums.txt")
	inputs := map[string]string{"suites": "examples/webhook", "version": "v9"}

	write(t, sums, fmt.Sprintf("%x  diffrun_linux_amd64.tar.gz\n", sha256.Sum256(data)), 0o600)
	if ran := use(t, &other, inputs); ran.Failed || !strings.Contains(ran.Log, "this is a release") {
		t.Errorf("%+v", ran)
	}
	write(t, sums, fmt.Sprintf("%x  diffrun_linux_amd64.tar.gz\n", sha256.Sum256(data[1:])), 0o600)
	if ran := use(t, &other, inputs); !ran.Failed || strings.Contains(ran.Log, "this is a release") || !strings.Contains(ran.Log, "::error::") {
		t.Errorf("another checksum: %+v", ran)
	}
	other.Env["RUNNER_ARCH"] = "RISCV64"
	if ran := use(t, &other, inputs); !ran.Failed || !strings.Contains(ran.Log, "no release of diffrun for Linux on RISCV64") {
		t.Errorf("a platform without release: %+v", ran)
	}
}

// testWorkflow runs the workflow of the examples job by job.
func testWorkflow(t *testing.T, r *actionrun.Runner) {
	workflow, err := actionrun.ReadWorkflow(root + "/examples/github/compare.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"part", "result"} {
		ran, err := r.Job(t.Context(), workflow.Jobs[name])
		if err != nil {
			t.Fatalf("job %s: %v", name, err)
		}
		if want := map[string]int{"part": 4, "result": 1}[name]; len(ran) != want {
			t.Errorf("job %s ran %d times, wanted %d", name, len(ran), want)
		}
		for _, one := range ran {
			if one.Failed {
				t.Errorf("job %s failed:\n%s", name, one.Log)
			}
			if summarized := strings.Contains(one.Summary, "as wanted"); summarized != (name == "result") {
				t.Errorf("job %s: summary: %s", name, one.Summary)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(r.Artifacts, "report", "report.html")); err != nil {
		t.Error(err)
	}
}

func newRunner(t *testing.T, temp string) *actionrun.Runner {
	t.Helper()
	dir, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	action, err := actionrun.ReadAction(dir)
	if err != nil {
		t.Fatal(err)
	}
	dependOnSources(t)
	r := &actionrun.Runner{Action: action, Name: name, Dir: t.TempDir(), Temp: temp, Artifacts: t.TempDir()}
	for _, linked := range []string{"examples", "go.mod", "go.sum", "internal", "harness", "backends", "equivalence"} {
		if err := os.Symlink(filepath.Join(dir, linked), filepath.Join(r.Dir, linked)); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// dependOnSources lets go test run the test again when the command changed, which only the
// go command reads.
func dependOnSources(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && file != root {
			return fs.SkipDir
		}
		if err == nil && filepath.Ext(file) == ".go" {
			_, err = os.Stat(file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func use(t *testing.T, r *actionrun.Runner, with map[string]string) actionrun.Outcome {
	t.Helper()
	ran, err := r.Use(t.Context(), with)
	if err != nil {
		t.Fatal(err)
	}
	return ran
}

func write(t *testing.T, file, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
