package capture_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/gomodule/capture"
	"github.com/diffrun/diffrun/internal/testing/slowtest"
)

const selectorTest = `package a

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
)

func TestSelector(t *testing.T) {
	if !Wanted() {
		t.Fatal("b is another one")
	}
	for _, key := range []string{"app", "no key"} {
		validation.ValidateLabelSelector(&metav1.LabelSelector{MatchLabels: map[string]string{key: "x"}}, ` +
	`validation.LabelSelectorValidationOptions{}, nil)
	}
}
`

// TestWorkspace: in a workspace, a function of a module in the module cache is recorded in a copy, and the
// modules of the workspace still find each other.
func TestWorkspace(t *testing.T) {
	slowtest.Skip(t)
	cache, err := exec.CommandContext(t.Context(), "go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // where the copy is kept
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.work":     "go 1.26.0\n\nuse (\n\t./a\n\t./b\n)\n",
		"a/a.go":      "package a\n\nimport \"example.com/b\"\n\nfunc Wanted() bool { return b.Is }\n",
		"a/a_test.go": selectorTest,
		"b/b.go":      "package b\n\nconst Is = true\n",
		"a/go.mod":    module(t, "go.mod", "example.com/a"),
		"a/go.sum":    module(t, "go.sum", ""),
		"b/go.mod":    "module example.com/b\n\ngo 1.26.0\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := tree(t, dir)
	const function = "k8s.io/apimachinery/pkg/apis/meta/v1/validation.ValidateLabelSelector"
	recording, stdout, err := record(t, dir, capture.Options{Functions: []string{function}}, "./a/...")
	if err != nil {
		t.Fatalf("%v\n%s", err, stdout)
	}
	if recording.Status != 0 || len(recording.Lines) != 2 || !strings.Contains(stdout, "ok  \texample.com/a\t") {
		t.Errorf("status %d, lines %+v\n%s", recording.Status, recording.Lines, stdout)
	}
	refused := 0
	for _, line := range recording.Lines {
		if line.Function != function || line.Test != "TestSelector" || line.Source != "a_test.go:15" ||
			line.Type != "k8s.io/apimachinery/pkg/apis/meta/v1.LabelSelector" {
			t.Errorf("the line is %+v", line)
		}
		refused += len(line.Errors)
	}
	if refused != 1 {
		t.Errorf("%d errors are recorded", refused)
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("the user's files have changed:\n%s", diff)
	}
}

// module returns a file of this module as one of another module.
func module(t *testing.T, name, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.Replace(data, []byte("module github.com/diffrun/diffrun"), []byte("module "+path), 1))
}
