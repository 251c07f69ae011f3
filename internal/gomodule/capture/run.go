package capture

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/gomodule/capture/recorder"
	"github.com/diffrun/diffrun/internal/gomodule/gotool"
)

// Run runs a "go test" command and records calls. A failing test is not an error. Errors are mistakes
// of the caller, such as another command, a pattern that matches nothing, or tests that call no
// recorded function.
func Run(ctx context.Context, options Options) (recording *Recording, err error) {
	w, remove, err := newWorkspace(options)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	if err := w.prepare(ctx); err != nil {
		return nil, err
	}
	if err := w.test(ctx); err != nil {
		return nil, err
	}
	if err := w.collect(); err != nil {
		return nil, err
	}
	if err := w.empty(); err != nil {
		return w.recording, err
	}
	if err := w.findVersions(ctx); err != nil {
		return w.recording, err
	}
	return w.recording, w.convert(ctx)
}

// newWorkspace parses the command and creates a temporary folder, which remove deletes.
func newWorkspace(options Options) (w *workspace, remove func() error, err error) {
	command, err := parseCommand(options.Command)
	if err != nil {
		return nil, nil, err
	}
	for _, scheme := range options.Schemes {
		if strings.LastIndex(scheme, ".") <= strings.LastIndex(scheme, "/") {
			return nil, nil, fmt.Errorf("--scheme %q: write import/path.Variable, or import/path.AddToScheme", scheme)
		}
	}
	if _, err := exec.LookPath(command.program); err != nil && !strings.ContainsRune(command.program, filepath.Separator) {
		return nil, nil, fmt.Errorf("the command %s was not found: %w; install Go, or use the path of the go command",
			command.program, errors.Unwrap(err))
	}
	temporary, err := os.MkdirTemp("", "diffrun-capture-")
	if err != nil {
		return nil, nil, err
	}
	return &workspace{
		folder: temporary, command: gotool.Command{Program: command.program, Dir: options.Dir, Env: options.Env},
		tests: command, options: options, modfile: command.modfile,
		programs: map[string]bool{}, recording: &Recording{Skipped: map[Skip]int{}},
	}, func() error { return os.RemoveAll(temporary) }, nil
}

// calls returns the folder that recorders write to.
func (w *workspace) calls() string { return filepath.Join(w.folder, "calls") }

// test runs the command.
func (w *workspace) test(ctx context.Context) error {
	overlay, err := w.overlay.Write()
	if err == nil {
		err = os.Mkdir(w.calls(), 0o755)
	}
	if err != nil {
		return err
	}
	run := exec.CommandContext(ctx, w.tests.program, w.tests.arguments(overlay, w.modfile)...)
	run.Cancel = func() error { return run.Process.Signal(os.Interrupt) }
	run.Dir = w.options.Dir
	run.Env = append(slices.Clone(w.command.Env), recorder.Folder+"="+w.calls())
	run.Stdin, run.Stdout = w.options.Stdin, w.options.Stdout
	stderr := newPathWriter(w.overlay, w.options.Stderr, w.options.Dir)
	run.Stderr = stderr
	stdout := newPathWriter(w.overlay, w.options.Stdout, w.options.Dir)
	if slices.ContainsFunc(w.tests.others, func(word string) bool { return strings.TrimLeft(word, "-") == "json" }) {
		run.Stdout = stdout // the compiler's messages go there, too
	}
	err = run.Run()
	err = errors.Join(err, stdout.flush(), stderr.flush())
	exited := (*exec.ExitError)(nil)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &exited):
		w.recording.Status = exited.ExitCode()
		return nil
	}
	return err
}

// empty returns an error with the reason if nothing was recorded.
func (w *workspace) empty() error {
	if len(w.recording.Lines) > 0 {
		return nil
	}
	command := strings.Join(w.options.Command, " ")
	reasons := map[string][]string{}
	for skip := range w.recording.Skipped {
		kind, _, _ := strings.Cut(skip.Reason, ":")
		reasons[kind] = append(reasons[kind], strings.TrimPrefix(skip.Reason, kind+": "))
	}
	for _, list := range reasons {
		slices.Sort(list)
	}
	switch {
	case w.recording.Status != 0:
		return fmt.Errorf("%q exits with status %d, and no call was recorded; fix the errors that it printed, until it runs "+
			"without diffrun", command, w.recording.Status)
	case len(reasons["not JSON"]) > 0:
		return fmt.Errorf("no call was recorded, because the objects cannot be written as JSON: %s", reasons["not JSON"][0])
	case len(reasons[recorder.NoReview]) > 0:
		return fmt.Errorf("no call was recorded: %q only calls HTTP handlers, and none of their requests is an AdmissionReview "+
			"of admission.k8s.io; record other functions with --func", command)
	case len(reasons["part"]) > 0:
		return fmt.Errorf("no call was recorded of an object of an API: %s; --func 'IMPORT/PATH.FUNCTION' records calls with any struct",
			reasons["part"][0])
	}
	return fmt.Errorf("no call was recorded: %q calls none of the %d functions that are instrumented (%s); name packages "+
		"whose tests do, or other functions with --func",
		command, len(w.recording.Functions), abridged(w.recording.names()))
}

// names returns the names of the instrumented functions.
func (r *Recording) names() []string {
	var names []string
	for _, f := range r.Functions {
		names = append(names, f.Name)
	}
	return names
}

// abridged returns the first few of many names.
func abridged(names []string) string {
	const few = 5
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}
