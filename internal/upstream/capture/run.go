package capture

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"strings"
)

// recordingsFolder is the environment variable that recorders read (recording.Folder).
const recordingsFolder = "DIFFRUN_RECORDINGS"

// suite is a package whose unit tests are run.
type suite struct {
	path string // below the module
	// skip are tests that are not run, and why.
	skip, why string
}

// suites are the packages whose tests call recorded functions.
func suites() []suite {
	return []suite{
		{path: "pkg/apiserver/validation"},
		{path: "pkg/apiserver/schema"},
		{path: "pkg/apiserver/schema/cel"},
		{path: "pkg/apiserver/schema/defaulting"},
		{path: "pkg/apiserver/schema/listtype"},
		{path: "pkg/apiserver/schema/objectmeta", skip: "^Test(RoundtripObjectMeta|MalformedObjectMetaFields)$", why: "their objects are random"},
		{path: "pkg/apiserver/schema/pruning"},
		{path: "pkg/apis/apiextensions/validation"},
		{
			path: "pkg/registry/customresource",
			skip: "^TestScaleUpdateWith(out)?ResourceVersionWithConflicts$", why: "they race: how many calls they make is chance",
		},
		{path: "pkg/registry/customresourcedefinition"},
		{path: "pkg/apiserver"},
	}
}

// Result is what a run gives.
type Result struct {
	// Version is that of the module.
	Version string
	// Recorded are the functions whose calls were written down.
	Recorded []string
	// Skipped are the tests that were not run, and why.
	Skipped []string
	Calls   []*Call
}

// Run captures the calls of the unit tests of the module that the go.mod of the current
// folder's module requires. It copies the module to a folder below temporary, which is
// removed in the end.
//
// The errors: the go command, a function that recorders no longer find, tests that
// fail, and tests that make no call at all.
func Run(ctx context.Context, temporary string) (result *Result, err error) {
	folder, err := os.MkdirTemp(temporary, "upstream-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	w, err := newWorkspace(ctx, folder)
	if err != nil {
		return nil, err
	}
	result = &Result{Version: w.Version, Recorded: w.Recorded}
	for _, s := range suites() {
		if s.skip != "" {
			result.Skipped = append(result.Skipped, fmt.Sprintf("%s -skip %s: %s", s.path, s.skip, s.why))
		}
	}
	if err := w.test(ctx); err != nil {
		return nil, err
	}
	if result.Calls, err = readCalls(w.calls); err == nil && len(result.Calls) == 0 {
		err = fmt.Errorf("the unit tests of %s made no call that was recorded", Module)
	}
	return result, err
}

// test runs the tests of all suites. Those without tests to skip run in one command,
// so that they are compiled side by side.
func (w *workspace) test(ctx context.Context) error {
	together := map[string][]string{}
	var order []string
	for _, s := range suites() {
		if together[s.skip] == nil {
			order = append(order, s.skip)
		}
		together[s.skip] = append(together[s.skip], path.Join(Module, s.path))
	}
	for _, skip := range order {
		// vet is upstream's own business.
		arguments := []string{"test", "-modfile=" + w.modfile, "-mod=mod", "-count=1", "-vet=off"}
		if skip != "" {
			arguments = append(arguments, "-skip", skip)
		}
		run := exec.CommandContext(ctx, "go", append(arguments, together[skip]...)...)
		run.Env = append(os.Environ(), recordingsFolder+"="+w.calls)
		if out, err := run.CombinedOutput(); err != nil {
			return fmt.Errorf("the unit tests of %s fail (%w):\n%s", strings.Join(together[skip], ", "), err, out)
		}
	}
	return nil
}
