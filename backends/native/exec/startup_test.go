package exec_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/diffrun/diffrun/backends/native/exec"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
)

// starts are the notices of a backend about its start.
type starts struct {
	mu    sync.Mutex
	texts []string
	open  int
}

func (s *starts) begin(doing string) func() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.texts, s.open = append(s.texts, doing), s.open+1
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open--
	}
}

// check compares the notices with the wanted prefixes. No start may still be open.
func (s *starts) check(t *testing.T, want ...string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.texts) != len(want) || s.open != 0 {
		t.Errorf("%d notices, want %d; %d are open: %q", len(s.texts), len(want), s.open, s.texts)
		return
	}
	for i, text := range s.texts {
		if !strings.HasPrefix(text, want[i]) {
			t.Errorf("notice %d is %q, want %q", i, text, want[i])
		}
	}
}

func starting(t *testing.T, timeout time.Duration, dir string, command ...string) (*exec.Backend, *starts) {
	t.Helper()
	said := &starts{}
	backend, err := exec.New(exec.Options{Command: command, Dir: dir, Parallel: 2, StartTimeout: timeout, Starting: said.begin})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := backend.Close(); err != nil {
			t.Error(err)
		}
	})
	return backend, said
}

// TestStartIsNotTheCase: a program may take longer to start than a case may take. After its first answer, a
// case that hangs is a fault as usual.
func TestStartIsNotTheCase(t *testing.T) {
	const timeout = 300 * time.Millisecond
	backend, said := starting(t, time.Minute, "", os.Args[0], "validator", "starts slowly")
	if outcome := harness.Ask(t.Context(), backend, ask("", 1), timeout); outcome.Fault != nil {
		t.Errorf("the first case: %v", outcome.Fault)
	}
	said.check(t, "starting the validator (")
	outcome := harness.Ask(t.Context(), backend, ask("hang", 1), timeout)
	if outcome.Fault == nil || !strings.Contains(outcome.Fault.Error(), "the native backend did not answer within 300ms; "+
		"a slow validator needs a longer --timeout") {
		t.Errorf("a case that hangs: %v", outcome.Fault)
	}
	said.check(t, "starting the validator (")
}

// TestNeverAnswers: the fault says what the program was expected to do. The time to start is granted once,
// not for each case.
func TestNeverAnswers(t *testing.T) {
	const timeout = 200 * time.Millisecond
	backend, said := starting(t, timeout, "", os.Args[0], "validator")
	outcome := harness.Ask(t.Context(), backend, ask("hang", 1), time.Minute)
	if outcome.Fault == nil || outcome.Fault.Reason != words.FaultTimeout {
		t.Fatalf("%v", outcome.Fault)
	}
	for _, want := range []string{
		" validator: the validator was started and did not answer within 200ms; it must read an AdmissionReview from each line of stdin",
		"one that starts slowly needs a longer --start-timeout; ",
	} {
		if !strings.Contains(outcome.Fault.Error(), want) {
			t.Errorf("the fault is %v, want %q", outcome.Fault, want)
		}
	}
	outcome = harness.Ask(t.Context(), backend, ask("hang", 2), timeout)
	if outcome.Fault == nil || !strings.Contains(outcome.Fault.Error(), "did not answer within 200ms; a slow validator needs "+
		"a longer --timeout") {
		t.Errorf("the second case: %v", outcome.Fault)
	}
	if outcome := harness.Ask(t.Context(), backend, ask("", 1), time.Minute); outcome.Fault != nil {
		t.Errorf("a case that does not hang: %v", outcome.Fault)
	}
	said.check(t, "starting the validator (")
}

// TestGoRun: for "go run" the program is built once for all copies, and removed at the end.
func TestGoRun(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	backend, said := starting(t, 5*time.Minute, "testdata", "go", "run", "-tags", "none", "./validator", "an argument")
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if outcome := harness.Ask(t.Context(), backend, ask("", 1), 10*time.Second); outcome.Fault != nil {
				t.Error(outcome.Fault)
			}
		})
	}
	both.Wait()
	built := func() []string {
		found, err := filepath.Glob(filepath.Join(temporary, "diffrun-validator-*", "validator*"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if all := built(); len(all) != 1 {
		t.Errorf("programs: %q, want one", all)
	}
	said.check(t, "building the validator (go run -tags none ./validator an argument)", "starting the validator (go run")
	if err := backend.Close(); err != nil {
		t.Error(err)
	}
	if all := built(); len(all) != 0 {
		t.Errorf("left behind: %q", all)
	}
}

// TestGoRunShared: backends of the same package build it once, also from different directories. The last one removes it.
func TestGoRunShared(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	var builds exec.Builds
	var backends []*exec.Backend
	for _, one := range []struct{ dir, what, argument string }{{"testdata", "./validator", "one"}, {".", "./testdata/validator", "two"}} {
		backend, err := exec.New(exec.Options{Command: []string{"go", "run", one.what, one.argument}, Dir: one.dir, Builds: &builds})
		if err != nil {
			t.Fatal(err)
		}
		backends = append(backends, backend)
		if outcome := harness.Ask(t.Context(), backend, ask("", 1), 10*time.Second); outcome.Fault != nil {
			t.Error(outcome.Fault)
		}
	}
	for n, backend := range backends {
		built, err := filepath.Glob(filepath.Join(temporary, "diffrun-validator-*", "validator*"))
		if err != nil || len(built) != 1 {
			t.Errorf("%d closed: programs %q, want one (%v)", n, built, err)
		}
		for range 2 { // closing again changes nothing
			if err := backend.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if left, _ := filepath.Glob(filepath.Join(temporary, "diffrun-validator-*")); len(left) != 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestGoRunFails: if a program does not build, the fault has the error of the compiler.
func TestGoRunFails(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nfunc main() { nothing() }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	backend, _ := starting(t, time.Minute, dir, "go", "run", "main.go")
	for range 2 {
		_, err := backend.Validate(t.Context(), ask("", 1))
		if err == nil || !strings.Contains(err.Error(), "starting go run main.go: the validator does not build: go build main.go: "+
			"exit status 1; on stderr:\n") || !strings.Contains(err.Error(), "undefined: nothing") {
			t.Errorf("%v", err)
		}
	}
}
