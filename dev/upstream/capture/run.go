package capture

import (
	"context"
	"embed"
	"fmt"
	"path"
)

// Module is the module whose tests are captured.
const Module = "k8s.io/apiextensions-apiserver"

//go:embed _recorders
var recorders embed.FS

// recordersFile is the name of files with recorders (recording.File).
const recordersFile = "zz_recorded.go"

// suite is a package whose unit tests are run.
type suite struct {
	path string // below the module
	// skip matches tests that are not run; why is the reason.
	skip, why string
}

// suites returns the packages whose tests call recorded functions.
func suites() []suite {
	return []suite{
		{path: "pkg/apiserver/validation"},
		{path: "pkg/apiserver/schema"},
		{path: "pkg/apiserver/schema/cel"},
		{path: "pkg/apiserver/schema/defaulting"},
		{path: "pkg/apiserver/schema/listtype"},
		{path: "pkg/apiserver/schema/objectmeta", skip: "^Test(RoundtripObjectMeta|MalformedObjectMetaFields)$",
			why: "their objects are random"},
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

// Result is the result of a run.
type Result struct {
	// Version is that of the module.
	Version string
	// Recorded lists the functions whose calls were recorded.
	Recorded []string
	// Skipped lists the tests that were not run, and why.
	Skipped []string
	Calls   []*Call
}

// Run captures the calls of the unit tests of the module, in the version that the go.mod of the
// current folder requires. It writes temporary files to a folder.
//
// It returns an error if the go command fails, recorders no longer find a function, tests fail, or
// no test makes a call.
func Run(ctx context.Context, temporary string) (*Result, error) {
	m, err := copyModule(ctx, temporary)
	if err != nil {
		return nil, err
	}
	result := &Result{Version: m.version, Recorded: m.recorded}
	for _, s := range suites() {
		if s.skip != "" {
			result.Skipped = append(result.Skipped, fmt.Sprintf("%s -skip %s: %s", s.path, s.skip, s.why))
		}
	}
	var calls []*Call
	for _, arguments := range commands() {
		made, err := m.test(ctx, temporary, arguments)
		if err != nil {
			return nil, err
		}
		calls = append(calls, made...)
	}
	if result.Calls = distinct(calls); len(calls) == 0 {
		return nil, fmt.Errorf("the unit tests of %s made no call that was recorded", Module)
	}
	return result, nil
}

// commands returns the arguments of each "go test". Suites without skipped tests share one command,
// so that they compile in parallel.
func commands() [][]string {
	together := map[string][]string{}
	var order []string
	for _, s := range suites() {
		if together[s.skip] == nil {
			order = append(order, s.skip)
		}
		together[s.skip] = append(together[s.skip], path.Join(Module, s.path))
	}
	var all [][]string
	for _, skip := range order {
		var arguments []string
		if skip != "" {
			arguments = []string{"-skip", skip}
		}
		all = append(all, append(arguments, together[skip]...))
	}
	return all
}
