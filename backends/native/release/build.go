package release

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/diffrun/diffrun/backends/native/internal/built"
	"github.com/diffrun/diffrun/internal/staging"
)

// Download downloads a release, unless its program is in the cache. New does it as well; a caller of New for several
// releases learns here that one of them does not exist, before the others are built.
func Download(ctx context.Context, options Options) error {
	_, _, err := download(ctx, options)
	return err
}

// download returns the release, and its program.
func download(ctx context.Context, options Options) (built.Program, staging.Module, error) {
	err := Check(options.Version)
	if err == nil && options.Emulates != "" {
		err = CheckEmulation(options.Version, options.Emulates)
	}
	if err != nil {
		return built.Program{}, staging.Module{}, err
	}
	cache, err := built.Cache(options.Cache, "kubernetes")
	if err != nil {
		return built.Program{}, staging.Module{}, err
	}
	if parts := releaseForm.FindStringSubmatch(options.Version); parts[2] != "" {
		if of := programOf(cache, options.Version); of.IsBuilt() {
			return of, staging.Module{Version: options.Version}, nil
		}
	}
	defer options.says("downloading Kubernetes " + options.Version)()
	kubernetes, err := staging.Download(ctx, staging.Kubernetes, options.Version)
	return programOf(cache, kubernetes.Version), kubernetes, unavailable(options.Version, err)
}

// ErrNoGo is the error if there is no go command to build a release with.
var ErrNoGo = staging.ErrNoGo

// unavailable returns the error for a release that was not found or downloaded.
func unavailable(version string, err error) error {
	switch {
	case err == nil || errors.Is(err, ErrNoGo):
		return err
	case strings.Contains(err.Error(), "requires go >="):
		return fmt.Errorf("release %s of Kubernetes cannot be built: %w; install a newer release of Go", version, err)
	}
	return fmt.Errorf("release %s of Kubernetes cannot be downloaded: %w; accepted: a release that \"go list -m -versions "+
		"%s\" prints. The Go module proxy (GOPROXY) must be reachable until the release is built", version, err, staging.Kubernetes)
}

// says calls Building, if it is set.
func (o Options) says(doing string) (ended func()) {
	if o.Building == nil {
		return func() {}
	}
	return o.Building(doing)
}

// build returns the program of a release, and the release with its patch. The name of the program's folder has a digest of
// what it is made from, so a new diffrun does not run an old program.
func build(ctx context.Context, options Options) (program, version string, err error) {
	of, kubernetes, err := download(ctx, options)
	if err != nil {
		return "", "", err
	}
	if !of.IsBuilt() {
		defer options.says("building " + of.Title + ", which takes minutes the first time")()
		err = of.Build(ctx, func(folder string) error { return writeProgram(ctx, folder, kubernetes) }, copiedModules)
	}
	return of.Path(), kubernetes.Version, err
}

// programOf returns the program of a release, built or not.
func programOf(cache, version string) built.Program {
	return built.Program{Title: "Kubernetes " + version, Folder: filepath.Join(cache, version+"-"+digest()), Name: "kubernetes"}
}

// writeProgram writes the module of the program of a release.
func writeProgram(ctx context.Context, folder string, kubernetes staging.Module) error {
	if err := writeModule(ctx, folder, kubernetes); err != nil {
		return err
	}
	if err := write(folder, kubernetes); err != nil {
		return err
	}
	return writeEmulation(ctx, folder)
}

// digest is that of the sources of the program and of the Go release.
func digest() string {
	sum := sha256.New()
	fmt.Fprint(sum, runtime.Version(), providersText, emulationText, madeText)
	names, _ := fs.Glob(programFiles, "program/*") // the pattern is well-formed
	for _, name := range names {
		text, _ := programFiles.ReadFile(name) // the files are embedded
		fmt.Fprintf(sum, "%s %d\n%s", name, len(text), text)
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
}

// BuildCommand builds a command of a release, such as its API server, and returns its program in the given folder. It
// is built as the program of the release is, so most of its packages are in the build cache if that was built. Its
// constructors of errors have a hook that nothing uses.
func BuildCommand(ctx context.Context, version, command, folder string) (program string, err error) {
	if err := Check(version); err != nil {
		return "", err
	}
	kubernetes, err := staging.Download(ctx, staging.Kubernetes, version)
	if err != nil {
		return "", unavailable(version, err)
	}
	module, err := os.MkdirTemp("", "diffrun-kubernetes-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(module)
	if err := writeModule(ctx, module, kubernetes); err != nil {
		return "", err
	}
	program = filepath.Join(folder, filepath.Base(command))
	return program, staging.Build(ctx, module, program, staging.Kubernetes+"/"+command)
}
