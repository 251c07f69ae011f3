package e2e_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// report has the fields of a report that the tests read.
type report struct {
	Summary struct{ Inputs, Equal, Equivalent, Excepted, Different, Fault int }
	Results []result
}

type result struct {
	Case, Target, Verdict string
	Fault                 string // of the case itself
	Native, Declarative   struct {
		Fault  string
		Errors []json.RawMessage
	}
	Differences []struct{ Class, Field, Rule, Exception string }
}

// outcome is the result of running diffrun.
type outcome struct {
	status         int
	stdout, stderr string
	report         report
}

// diffrun executes "diffrun run" in a directory, and reads its JSON report.
func diffrun(t *testing.T, dir string, args ...string) outcome {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.json")
	cmd := exec.CommandContext(t.Context(), filepath.Join(*binaries, "diffrun"),
		append([]string{"run", "-o", "text", "-o", "json=" + file}, args...)...)
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	out := outcome{status: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String()}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("diffrun %q ended with status %d and wrote no report: %v\n%s%s", args, out.status, err, &stdout, &stderr)
	}
	if err := json.Unmarshal(data, &out.report); err != nil {
		t.Fatal(err)
	}
	return out
}

// write writes a file of a test.
func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
