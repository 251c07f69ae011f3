package exec_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/native/exec"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// The test binary is the validator if an environment variable is set.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "validator" {
		serve(os.Args[2:])
		os.Exit(0)
	}
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		serveFunc()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var widget = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}

// ask is an input whose mode tells the validator what to do.
func ask(mode string, size int64) *harness.Input {
	object := map[string]any{"apiVersion": "example.com/v1", "kind": "Widget", "size": size}
	if mode != "" {
		object["mode"] = mode
	}
	return &harness.Input{Request: harness.Request{Version: widget, Operation: admissionv1.Create}, Object: contract.NewView(object)}
}

func newBackend(t *testing.T, parallel int, args ...string) *exec.Backend {
	t.Helper()
	backend, err := exec.New(exec.Options{Command: append([]string{os.Args[0], "validator"}, args...), Parallel: parallel})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := backend.Close(); err != nil {
			t.Error(err)
		}
	})
	return backend
}

// tooSmall are the errors of the validator for a size below zero.
func tooSmall(size int64) field.ErrorList {
	return field.ErrorList{field.Invalid(field.NewPath("size"), size, "must be greater than or equal to 0, [as] \"always\"")}
}

func check(t *testing.T, backend harness.Backend, in *harness.Input, want field.ErrorList) {
	t.Helper()
	got, err := backend.Validate(t.Context(), in)
	if err != nil {
		t.Fatalf("fault: %v", err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestValidate(t *testing.T) {
	backend := newBackend(t, 1)
	check(t, backend, ask("", 1), nil)
	check(t, backend, ask("", -1), tooSmall(-1))
	update := ask("", 2)
	update.Operation, update.Old = admissionv1.Update, ask("", 3).Object
	check(t, backend, update, field.ErrorList{field.Forbidden(field.NewPath("size"), "may not shrink")})
	check(t, backend, ask("noise", -2), tooSmall(-2))
	check(t, backend, ask("blank lines", -3), tooSmall(-3))
	check(t, backend, ask("large", -4), field.ErrorList{field.Invalid(field.NewPath("size"), strings.Repeat("x", 1<<20), "large")})
}

// Any misbehaviour of a child is a fault of that case; the next case is answered.
func TestFaults(t *testing.T) {
	backend := newBackend(t, 1)
	for _, tc := range []struct {
		why, mode string
		says      []string
	}{
		{"it exits and prints why", "die", []string{"it ended without an answer (exit status 3); on stderr:\n\tcannot go on\n\tpanic"}},
		{"it ends as if all were well", "leave", []string{"it ended without an answer (exit status 0); it printed nothing on stderr"}},
		{"it is killed", "kill itself", []string{"it ended without an answer (signal: killed)"}},
		{"it hangs", "hang", []string{"it did not answer: context deadline exceeded; on stderr:\n\tdeep in thought"}},
		{"it neither reads nor answers", "deaf", []string{"it did not answer: context deadline exceeded"}},
		{"it prints something other than a response", "garbage",
			[]string{
				`the response is not an AdmissionReview: invalid character 'h' in literal true (expecting 'r'); it begins with "this ` +
					`is no JSON"; a program prints only its answers to stdout, and everything else to stderr; `,
			}},
		{"it dies within a line", "half", []string{`its output ended within a line: "{\"apiVersion\":"`}},
		{"it answers a different request", "wrong uid", []string{`the response has the uid "other"`}},
		{"it closes its stdout", "close", []string{"it closed its stdout"}},
		{"it never ends a line", "endless", []string{"it printed a line of more than 16 MiB"}},
		{"it prints a lot before it exits", "much noise", []string{"; on stderr:\n\tnoise 99985\n", "\n\tnoise 99999"}},
		{"it panics, and the stack is long", "long panic", []string{"; on stderr:\n\tpanic: at the beginning\n"}},
		{"it leaves child processes that keep its output open", "orphan", []string{"it ended without an answer (exit status 4)"}},
	} {
		t.Run(tc.why, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), timeoutOf(tc.mode))
			defer cancel()
			began := time.Now()
			errs, err := backend.Validate(ctx, ask(tc.mode, -1))
			if err == nil || errs != nil {
				t.Fatalf("errors %v, fault %v", errs, err)
			}
			for _, says := range tc.says {
				if !strings.Contains(err.Error(), says) {
					t.Errorf("the fault does not say %q:\n%v", says, err)
				}
			}
			t.Logf("%v: %v", time.Since(began), err)
			check(t, backend, ask("", -1), tooSmall(-1))
		})
	}
}

// timeoutOf is the timeout for a mode: short for validators that never answer, otherwise long enough for a
// slow machine.
func timeoutOf(mode string) time.Duration {
	switch mode {
	case "hang", "deaf":
		return 300 * time.Millisecond
	}
	return time.Minute
}

func waitForFile(t *testing.T, file string) {
	t.Helper()
	for range 1000 {
		if _, err := os.Stat(file); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("the validator never wrote %s", file)
}

// A child that exits between two cases causes no fault.
func TestEndsWhileIdle(t *testing.T) {
	backend := newBackend(t, 1)
	pid := childOf(t, backend)
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	waitForEnd(t, pid)
	check(t, backend, ask("", -1), tooSmall(-1))
}

// childOf asks the child for its process id.
func childOf(t *testing.T, backend harness.Backend) int {
	t.Helper()
	errs, err := backend.Validate(t.Context(), ask("pid", 0))
	if err != nil || len(errs) != 1 {
		t.Fatalf("errors %v, fault %v", errs, err)
	}
	return int(errs[0].BadValue.(int64))
}

func waitForEnd(t *testing.T, pid int) {
	t.Helper()
	for range 500 {
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("process %d still runs", pid)
}

// If a child is killed during a parallel run, only its case is a fault.
func TestKilledInTheMiddle(t *testing.T) {
	backend := newBackend(t, 4)
	pidFile := filepath.Join(t.TempDir(), "pid")
	var asking sync.WaitGroup
	faults := make([]error, 200)
	got := make([]field.ErrorList, len(faults))
	places := make(chan struct{}, 8) // more than there are children
	for i := range faults {
		asking.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			mode := ""
			if i == 100 {
				mode = "wait for its end: " + pidFile
			}
			got[i], faults[i] = backend.Validate(t.Context(), ask(mode, -int64(i)-1))
		})
	}
	pid := readPID(t, pidFile)
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	asking.Wait()
	for i, fault := range faults {
		if i == 100 {
			if fault == nil || !strings.Contains(fault.Error(), "it ended without an answer (signal: killed)") {
				t.Errorf("fault of the killed case: %v", fault)
			}
			continue
		}
		if fault != nil {
			t.Errorf("case %d: %v", i, fault)
		}
		if diff := cmp.Diff(tooSmall(-int64(i)-1), got[i]); diff != "" {
			t.Errorf("case %d: -want +got:\n%s", i, diff)
		}
	}
}

func readPID(t *testing.T, file string) int {
	t.Helper()
	for range 1000 {
		data, err := os.ReadFile(file)
		if pid, convErr := strconv.Atoi(string(data)); err == nil && convErr == nil {
			return pid
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the validator never wrote its process id")
	return 0
}

// Children are started when they are needed, and no more than configured.
func TestStartsLazily(t *testing.T) {
	dir := t.TempDir()
	backend := newBackend(t, 3, "started in "+dir)
	if got := started(t, dir); got != 0 {
		t.Fatalf("%d children before the first question", got)
	}
	for range 5 {
		check(t, backend, ask("", -1), tooSmall(-1))
	}
	if got := started(t, dir); got != 1 {
		t.Errorf("%d children for one question after the other", got)
	}
	var asking sync.WaitGroup
	for range 3 {
		asking.Go(func() { check(t, backend, ask("slow", -1), tooSmall(-1)) })
	}
	asking.Wait()
	if got := started(t, dir); got != 3 {
		t.Errorf("%d children for 20 questions at once, want 3", got)
	}
}

func started(t *testing.T, dir string) int {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// A program that always exits is a fault of every case, and does not end the run.
func TestAlwaysDies(t *testing.T) {
	backend := newBackend(t, 2, "die at once")
	for range 4 {
		if _, err := backend.Validate(t.Context(), ask("", 1)); err == nil || !strings.Contains(err.Error(), "exit status 5") {
			t.Errorf("fault %v", err)
		}
	}
}

func TestClose(t *testing.T) {
	dir := t.TempDir()
	backend := newBackend(t, 2, "ended in "+dir)
	pidFile := filepath.Join(t.TempDir(), "pid")
	hanging := make(chan error)
	go func() {
		_, err := backend.Validate(context.Background(), ask("wait for its end: "+pidFile, 0))
		hanging <- err
	}()
	asked := readPID(t, pidFile)
	idle := childOf(t, backend) // a second one: the first is busy
	if err := backend.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-hanging; err == nil || !strings.Contains(err.Error(), "the backend was closed") {
		t.Errorf("the question that was being asked: %v", err)
	}
	waitForEnd(t, asked)
	waitForEnd(t, idle)
	if _, err := os.Stat(filepath.Join(dir, strconv.Itoa(idle))); err != nil || started(t, dir) != 1 {
		t.Errorf("the idle child, and no other, should have ended by itself: %v", err)
	}
	if _, err := backend.Validate(t.Context(), ask("", 1)); err == nil || !strings.Contains(err.Error(), "the backend was closed") {
		t.Errorf("a question after the end: %v", err)
	}
}

// Processes that a child started do not outlive it: the grandchild holds one end of a pipe as long as it
// lives.
func TestEndsGrandchildren(t *testing.T) {
	backend := newBackend(t, 1)
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		said, err := os.ReadFile(fifo)
		if err == nil && string(said) != "child" {
			err = fmt.Errorf("the child said %q", said)
		}
		ended <- err
	}()
	if _, err := backend.Validate(t.Context(), ask("orphan "+fifo, 0)); err == nil {
		t.Fatal("no fault")
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Error("the grandchild still lives")
	}
}

func TestNew(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"validator": 0o755, "text": 0o644} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		why     string
		command []string
		says    string // empty: no error
	}{
		{"no command", nil, "the command is empty; name a program and its arguments, for instance [./validator, --stdio]"},
		{"a program in PATH", []string{"sh"}, ""},
		{"a program in the directory", []string{"./validator", "-x"}, ""},
		{"PATH does not have it", []string{"validator"}, `no program "validator" to start: executable file not found in $PATH; ` +
			`a program beside the file that names it is written ./validator`},
		{"there is no such file", []string{"./validatr"}, `no program "./validatr" to start: stat `},
		{"the file is no program", []string{"./text"}, `no program "./text" to start: permission denied`},
	} {
		t.Run(tc.why, func(t *testing.T) {
			_, err := exec.New(exec.Options{Command: tc.command, Dir: dir})
			if got := fmt.Sprint(err); tc.says == "" && err != nil || !strings.HasPrefix(got, tc.says) {
				t.Errorf("error %v, want %q", err, tc.says)
			}
		})
	}
}
