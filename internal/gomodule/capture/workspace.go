package capture

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/internal/gomodule/capture/instrument"
	"github.com/diffrun/diffrun/internal/gomodule/gotool"
)

//go:embed recorder/*.go converter/*.go
var sources embed.FS

// recorderFolder is the folder of package recorder in a main module. It exists only in the overlay.
// Patterns such as ./... do not match packages below testdata.
const recorderFolder = "testdata/diffrunrecorder"

// recorderPackage is the import path of package recorder in this module.
const recorderPackage = "github.com/diffrun/diffrun/internal/gomodule/capture/recorder"

// featurePackage has the feature gates of an API server.
const featurePackage = "k8s.io/apiserver/pkg/util/feature"

// workspace is the user's module as the go command sees it.
type workspace struct {
	folder    string // everything below it is temporary
	command   gotool.Command
	tests     *testCommand
	options   Options
	overlay   *gotool.Overlay
	modfile   string // replaces go.mod; empty for the user's own
	recorder  string // the import path of package recorder
	mains     []*gotool.Module
	copies    map[string]string // the folders of copied modules, and those of the copies
	programs  map[string]bool   // packages that nothing can import
	recording *Recording
}

// prepare instruments the packages. It returns errors of the go command and mistakes in the options.
func (w *workspace) prepare(ctx context.Context) error {
	wanted, matched, err := w.options.wanted()
	if err != nil {
		return err
	}
	if w.mains, err = w.mainModules(ctx); err != nil {
		return err
	}
	w.recorder = path.Join(w.mains[0].Path, recorderFolder)
	if w.overlay, err = gotool.NewOverlay(filepath.Join(w.folder, "overlay"), w.tests.overlay, w.options.Dir); err != nil {
		return err
	}
	packages, err := w.packages(ctx, w.tests, true)
	if err != nil {
		return err
	}
	var rewritten []*rewrittenPackage
	for _, p := range packages {
		if p.Name == "main" {
			w.programs[p.ImportPath] = true
		}
		if p.Standard || p.DepOnly && len(w.options.Functions) == 0 {
			continue
		}
		found, err := w.instrument(p, wanted)
		if err != nil {
			return err
		}
		rewritten = append(rewritten, found)
	}
	slices.SortFunc(w.recording.Functions, func(a, b instrument.Function) int { return strings.Compare(a.Name, b.Name) })
	for _, list := range [][]instrument.Refusal{w.recording.Refused, w.recording.Near} {
		slices.SortFunc(list, func(a, b instrument.Refusal) int { return strings.Compare(a.Function, b.Function) })
	}
	if err := w.unmatched(matched, len(packages)); err != nil {
		return err
	}
	if err := w.callable(packages); err != nil {
		return err
	}
	if w.options.Announce != nil {
		w.options.Announce(w.recording)
	}
	if err := w.copyModules(ctx, rewritten); err != nil {
		return err
	}
	if err := w.place(rewritten); err != nil {
		return err
	}
	return w.placePackage("recorder", recorderFolder)
}

// unmatched returns an error if a pattern matches no function, or if no validator was found.
func (w *workspace) unmatched(matched map[string]string, packages int) error {
	for _, pattern := range slices.Sorted(maps.Keys(matched)) {
		if matched[pattern] == "" {
			return fmt.Errorf("--func %q matches no function of the %d packages that the tests need; write import/path.Function "+
				"or import/path.Type.Method, with * for any text", pattern, packages)
		}
	}
	if len(w.recording.Functions) > 0 {
		return nil
	}
	if len(w.recording.Refused) > 0 {
		first := w.recording.Refused[0]
		return fmt.Errorf("none of %d validators can be recorded, such as %s: %s; name other functions with --func",
			len(w.recording.Refused), first.Function, first.Reason)
	}
	if len(w.recording.Near) > 0 {
		first := w.recording.Near[0]
		return fmt.Errorf("nothing would be recorded, so nothing was built: %d functions nearly qualify, such as %s: %s; "+
			"for instance --func '%s'", len(w.recording.Near), first.Function, first.Reason, pattern(first.Function))
	}
	const accepted = "a function with a pointer to an object that returns a field.ErrorList or a *field.Error, " +
		"a validator of controller-runtime, or a handler of admission requests (of HTTP requests, too)"
	if len(matched) > 0 {
		return fmt.Errorf("none of the functions that --func matches is a validator, such as %s: name %s",
			matched[w.options.Functions[0]], accepted)
	}
	return fmt.Errorf("the tested packages (%s) have no exported validator: %s; --func 'IMPORT/PATH.*' finds those of other packages",
		strings.Join(w.tests.packages, " "), accepted)
}

// pattern returns a pattern of --func for a function, and for those of its name of other types of the package.
func pattern(function string) string {
	at := strings.LastIndex(function, "/") + 1
	parts := strings.Split(function[at:], ".")
	if len(parts) < 3 {
		return function
	}
	return function[:at] + parts[0] + ".*." + parts[len(parts)-1]
}

// rewrittenPackage is a package with the new contents of its files.
type rewrittenPackage struct {
	*listed
	sources, tests map[string][]byte // by the names of the files
}

// instrument rewrites the files of a package.
func (w *workspace) instrument(p *listed, wanted func(string, bool) bool) (*rewrittenPackage, error) {
	rewriting := &instrument.Package{
		Path:     p.ImportPath,
		Recorder: w.recorder,
		Wanted:   wanted,
		Exact:    w.options.exact,
		Parts:    len(w.options.Functions) > 0,
		Nested:   w.options.Nested,
	}
	made := &rewrittenPackage{listed: p, sources: map[string][]byte{}, tests: map[string][]byte{}}
	sources := map[string][]byte{}
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		data, err := w.overlay.Read(filepath.Join(p.Dir, name))
		if err != nil {
			return nil, err
		}
		if err := rewriting.Aliases(name, data); err != nil {
			return made, nil // the go command reports it
		}
		sources[name] = data
	}
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		result, err := rewriting.File(name, sources[name])
		if err != nil {
			return nil, err
		}
		w.recording.Functions = append(w.recording.Functions, result.Functions...)
		w.recording.Refused = append(w.recording.Refused, result.Refused...)
		if !p.DepOnly || len(w.options.Functions) > 0 && p.Module != nil && p.Module.Main {
			w.recording.Near = append(w.recording.Near, result.Near...)
		}
		if result.Source != nil {
			made.sources[name] = result.Source
		}
	}
	if p.DepOnly {
		return made, nil
	}
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		data, err := w.overlay.Read(filepath.Join(p.Dir, name))
		if err != nil {
			return nil, err
		}
		if result, err := rewriting.Test(name, data); err == nil && result.Source != nil {
			made.tests[name] = result.Source
		}
	}
	return made, nil
}

// place adds the rewritten files to the overlay. In modules that are not copied, test files are not
// rewritten, and calls are recorded under the names of their functions.
func (w *workspace) place(packages []*rewrittenPackage) error {
	var errs []error
	for _, p := range packages {
		dir, writable := w.dirOf(p.listed)
		if !writable {
			continue
		}
		for _, files := range []map[string][]byte{p.sources, p.tests} {
			for _, name := range slices.Sorted(maps.Keys(files)) {
				errs = append(errs, w.overlay.Put(filepath.Join(dir, name), files[name]))
			}
		}
		if !p.DepOnly && slices.Contains(p.Deps, featurePackage) {
			errs = append(errs, w.overlay.Put(filepath.Join(dir, "zz_diffrun_gates_test.go"), []byte(w.gatesFile(p.Name))))
		}
	}
	return errors.Join(errs...)
}

// gatesFile returns the source of a test file that passes the feature gates to the recorder.
func (w *workspace) gatesFile(name string) string {
	return fmt.Sprintf(`package %s_test

import (
	diffrunrecorder %q
	diffrunfeature %q
)

func init() {
	diffrunrecorder.Gates(func() map[string]bool {
		all := map[string]bool{}
		for gate := range diffrunfeature.DefaultMutableFeatureGate.GetAll() {
			all[string(gate)] = diffrunfeature.DefaultFeatureGate.Enabled(gate)
		}
		return all
	}, func() map[string]bool {
		all := map[string]bool{}
		for gate, spec := range diffrunfeature.DefaultMutableFeatureGate.GetAll() {
			all[string(gate)] = spec.Default
		}
		return all
	})
}
`, name, w.recorder, featurePackage)
}

// placePackage adds a package of ours to a folder of the first main module.
func (w *workspace) placePackage(name, folder string) error {
	return w.overlay.PutFiles(filepath.Join(w.mains[0].Dir, folder), sources, name, func(data []byte) []byte {
		return bytes.ReplaceAll(data, []byte(strconv.Quote(recorderPackage)), []byte(strconv.Quote(w.recorder)))
	})
}
