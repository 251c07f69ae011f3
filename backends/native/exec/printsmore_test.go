package exec_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/diffrun/diffrun/backends/native/exec"
)

// Output that a child prints together with its answer is a fault of that case only.
func TestPrintsMore(t *testing.T) {
	for _, mode := range []string{"twice", "answer and noise", "answer and half a line"} {
		backend := newBackend(t, 1)
		for range 3 {
			_, err := backend.Validate(t.Context(), ask(mode, -1))
			if err == nil || !strings.Contains(err.Error(), `it printed more than its answer: "`) {
				t.Fatalf("%s: fault %v", mode, err)
			}
		}
		check(t, backend, ask("", -3), tooSmall(-3))
	}
}

// Output that a child prints after its answer, before or after the next request, is not a fault of the next
// case, which is sent to a different child. Close names the right case.
func TestPrintsMoreLater(t *testing.T) {
	for _, tt := range []struct{ mode, says string }{
		{"again with the next question", `it printed more: "{\"kind\":\"AdmissionReview\"`},
		{"noise at the end", `it printed more: "so long"`},
		{"half a line at the end", `its output ended within a line: "so"`},
	} {
		t.Run(tt.mode, func(t *testing.T) {
			backend, err := exec.New(exec.Options{Command: []string{os.Args[0], "validator"}, Parallel: 1})
			if err != nil {
				t.Fatal(err)
			}
			before, doubted := ask("", -1), ask(tt.mode, -2)
			before.Case, doubted.Case = "before", "doubted"
			check(t, backend, before, tooSmall(-1))
			check(t, backend, doubted, tooSmall(-2))
			if strings.HasPrefix(tt.mode, "again") {
				check(t, backend, ask("", -3), tooSmall(-3))
			}
			err = backend.Close()
			if err == nil || !strings.Contains(err.Error(), `: after its answer to the case "doubted", which is in doubt, `+tt.says) ||
				strings.Contains(err.Error(), "\n") {
				t.Errorf("closed with %v", err)
			}
			if err := backend.Close(); err != nil {
				t.Errorf("closed again with %v", err)
			}
		})
	}
}

// If an idle child prints something and exits, this is noticed before the next request.
func TestPrintsMoreAndEnds(t *testing.T) {
	backend, err := exec.New(exec.Options{Command: []string{os.Args[0], "validator"}, Parallel: 1})
	if err != nil {
		t.Fatal(err)
	}
	pid := childOf(t, backend)
	if _, err := backend.Validate(t.Context(), ask("noise at the end", -2)); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	waitForEnd(t, pid)
	check(t, backend, ask("", -3), tooSmall(-3))
	if err := backend.Close(); err == nil || !strings.Contains(err.Error(), `it printed more: "so long"`) {
		t.Errorf("closed with %v", err)
	}
}

// An answer to a case that a different child validates names that case.
func TestAnswersOfOthers(t *testing.T) {
	backend := newBackend(t, 2)
	uidFile := filepath.Join(t.TempDir(), "uid")
	waiting, hasEnded := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		in := ask("leave the uid in "+uidFile, -1)
		in.Case = "the other"
		_, _ = backend.Validate(waiting, in)
		close(ended)
	}()
	waitForFile(t, uidFile)
	_, err := backend.Validate(t.Context(), ask("answer with the uid in "+uidFile, -2))
	if err == nil || !strings.Contains(err.Error(), `; that is the case "the other"`) {
		t.Errorf("fault %v", err)
	}
	hasEnded()
	<-ended
}
