package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/gomodule/capture/instrument"
	"github.com/diffrun/diffrun/internal/gomodule/gotool"
)

// Recorders are hand-written recorders for one module, for functions that the general recorder does
// not support.
type Recorders struct {
	// Module is the path of the module.
	Module string
	// Files are added to the module under the same names. Those named File have recorders
	// (instrument.Rename).
	Files fs.FS
	File  string
}

// RunRecorders runs a "go test" command on a module with hand-written recorders. The environment
// variable recorder.Folder names the folder that they write to, which is passed to read. It returns the
// recorded functions. Besides the errors of Run, it returns mistakes in the recorders, and an error if
// a test fails.
func RunRecorders(ctx context.Context, options Options, recorders Recorders, read func(folder string) error) (functions []string, err error) {
	w, remove, err := newWorkspace(options)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	if w.mains, err = w.mainModules(ctx); err != nil {
		return nil, err
	}
	if w.overlay, err = gotool.NewOverlay(filepath.Join(w.folder, "overlay"), w.tests.overlay, w.options.Dir); err != nil {
		return nil, err
	}
	functions, err = w.placeRecorders(ctx, recorders)
	if err == nil {
		err = w.test(ctx)
	}
	switch {
	case err != nil:
		return nil, err
	case w.recording.Status != 0:
		return nil, fmt.Errorf("%q exits with status %d", strings.Join(options.Command, " "), w.recording.Status)
	}
	return functions, read(w.calls())
}

// placeRecorders adds recorders to a copy of their module.
func (w *workspace) placeRecorders(ctx context.Context, recorders Recorders) ([]string, error) {
	files := map[string][]byte{} // by their names in the module
	err := fs.WalkDir(recorders.Files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files[name], err = fs.ReadFile(recorders.Files, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	of := *w.tests
	of.packages = nil
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if path.Base(name) == recorders.File {
			of.packages = append(of.packages, path.Join(recorders.Module, path.Dir(name)))
		}
	}
	packages, err := w.packages(ctx, &of, false)
	if err != nil {
		return nil, err
	}
	var functions []string
	var rewritten []*rewrittenPackage
	for _, p := range packages {
		inside := strings.TrimPrefix(p.ImportPath, recorders.Module+"/")
		made, names, err := w.rename(p, files[inside+"/"+recorders.File])
		if err != nil {
			return nil, err
		}
		functions, rewritten = append(functions, names...), append(rewritten, made)
	}
	if err := w.copyModules(ctx, rewritten); err != nil {
		return nil, err
	}
	errs := []error{w.place(rewritten)}
	if len(rewritten) > 0 && rewritten[0].Module != nil {
		root, _ := w.dirOf(&listed{Module: rewritten[0].Module, Dir: rewritten[0].Module.Folder()})
		for _, name := range slices.Sorted(maps.Keys(files)) {
			errs = append(errs, w.overlay.Put(filepath.Join(root, filepath.FromSlash(name)), files[name]))
		}
	}
	return functions, errors.Join(errs...)
}

// rename renames the functions of a package that have recorders.
func (w *workspace) rename(p *listed, recorders []byte) (*rewrittenPackage, []string, error) {
	sources := map[string][]byte{}
	for _, name := range p.GoFiles {
		data, err := w.overlay.Read(filepath.Join(p.Dir, name))
		if err != nil {
			return nil, nil, err
		}
		sources[name] = bytes.Clone(data)
	}
	renamed, err := instrument.Rename(p.ImportPath, sources, recorders)
	if err != nil {
		return nil, nil, err
	}
	// These recorders do not record feature gates.
	only := *p
	only.DepOnly = true
	return &rewrittenPackage{listed: &only, sources: renamed.Sources}, renamed.Functions, nil
}
