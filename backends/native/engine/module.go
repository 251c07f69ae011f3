package engine

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/mod/modfile"

	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/staging"
)

// programs has the sources of the programs. They have the build constraint "ignore", because they import modules that diffrun
// does not require.
//
//go:embed programs
var programs embed.FS

// sources returns the sources of the program of an engine by name, without their build constraint.
func sources(of Engine) map[string][]byte {
	files := map[string][]byte{}
	for _, pattern := range []string{"programs/*.go", path.Join("programs", of.Name, "*.go")} {
		names, _ := fs.Glob(programs, pattern) // the pattern is well-formed
		for _, name := range names {
			text, _ := programs.ReadFile(name) // the files are embedded
			files[path.Base(name)] = text[len(constraint):]
		}
	}
	return files
}

// constraint is how each source begins.
const constraint = "//go:build ignore\n"

// digest is that of the sources of a program and of the Go release.
func digest(of Engine) string {
	sum := sha256.New()
	fmt.Fprint(sum, runtime.Version())
	files := sources(of)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(sum, "%s %d\n%s", name, len(files[name]), files[name])
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
}

// download downloads the module of an engine.
func download(ctx context.Context, options Options) (staging.Module, error) {
	of := options.Engine.modulePath(options.Version)
	module, err := staging.Download(ctx, of, options.Version)
	if err == nil || errors.Is(err, staging.ErrNoGo) {
		return module, err
	}
	return module, fmt.Errorf("%s cannot be downloaded: %w; accepted: a version that \"go list -m -versions %s\" prints. "+
		"The Go module proxy (GOPROXY) must be reachable until the engine is built", options.Title(), err, of)
}

// writeModule writes the module of the program of an engine into a folder.
func writeModule(folder string, options Options, engine staging.Module) error {
	goMod, err := requirements(options.Engine.modulePath(options.Version), engine)
	if err != nil {
		return fmt.Errorf("the requirements of %s: %w", options.Title(), err)
	}
	files := sources(options.Engine)
	files["go.mod"] = goMod
	if sums, err := os.ReadFile(filepath.Join(engine.Dir, "go.sum")); err == nil {
		files["go.sum"] = sums // what is missing is asked of the checksum database
	}
	for name, text := range files {
		if err := outfile.Write(filepath.Join(folder, name), text); err != nil {
			return err
		}
	}
	return nil
}

// requirements returns the go.mod of a module that requires an engine, and all that it requires. Go ignores what a module
// that is required replaces, so its replacements by other modules are copied.
func requirements(path string, engine staging.Module) ([]byte, error) {
	data, err := os.ReadFile(engine.GoMod)
	if err != nil {
		return nil, err
	}
	theirs, err := modfile.Parse(engine.GoMod, data, nil)
	if err != nil {
		return nil, err
	}
	ours := &modfile.File{}
	errs := []error{ours.AddModuleStmt("diffrun.invalid/engine"), ours.AddRequire(path, engine.Version)}
	if theirs.Go != nil {
		errs = append(errs, ours.AddGoStmt(theirs.Go.Version))
	}
	for _, require := range theirs.Require {
		ours.AddNewRequire(require.Mod.Path, require.Mod.Version, require.Indirect)
	}
	for _, replace := range theirs.Replace {
		if replace.New.Version != "" {
			errs = append(errs, ours.AddReplace(replace.Old.Path, replace.Old.Version, replace.New.Path, replace.New.Version))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	ours.Cleanup()
	return modfile.Format(ours.Syntax), nil
}
