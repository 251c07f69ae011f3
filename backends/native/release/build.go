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
	"time"

	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/staging"
)

// built is the program of a release.
type built struct {
	version, program string
}

// Download downloads a release, unless its program is in the cache. New does it as well; a caller of New for several
// releases learns here that one of them does not exist, before the others are built.
func Download(ctx context.Context, options Options) error {
	_, _, err := download(ctx, options)
	return err
}

// download returns the release, and the folder of its program.
func download(ctx context.Context, options Options) (folder, staging.Module, error) {
	err := Check(options.Version)
	if err == nil && options.Emulates != "" {
		err = CheckEmulation(options.Version, options.Emulates)
	}
	if err != nil {
		return "", staging.Module{}, err
	}
	cache := options.Cache
	if cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", staging.Module{}, fmt.Errorf("there is no folder for built programs: %w; set XDG_CACHE_HOME", err)
		}
		cache = filepath.Join(user, "diffrun", "kubernetes")
	}
	if parts := releaseForm.FindStringSubmatch(options.Version); parts[2] != "" {
		if of := folderOf(cache, options.Version); of.isBuilt() {
			return of, staging.Module{Version: options.Version}, nil
		}
	}
	defer options.says("downloading Kubernetes " + options.Version)()
	kubernetes, err := staging.Download(ctx, staging.Kubernetes, options.Version)
	return folderOf(cache, kubernetes.Version), kubernetes, unavailable(options.Version, err)
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

// build returns the program of a release. Its name in the cache has a digest of what it is made from, so a new
// diffrun does not run an old program.
func build(ctx context.Context, options Options) (built, error) {
	of, kubernetes, err := download(ctx, options)
	if err != nil {
		return built{}, err
	}
	if !of.isBuilt() {
		defer options.says("building Kubernetes " + kubernetes.Version + ", which takes minutes the first time")()
		err = of.build(ctx, kubernetes)
	}
	return built{kubernetes.Version, of.program()}, err
}

// folder is where the program of a release is built and kept. A file in it says that it is complete.
type folder string

func folderOf(cache, version string) folder {
	return folder(filepath.Join(cache, version+"-"+digest()))
}

func (f folder) program() string {
	name := "kubernetes"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(string(f), name)
}

func (f folder) complete() string { return filepath.Join(string(f), "complete") }

// isBuilt reports whether the program is there.
func (f folder) isBuilt() bool {
	_, err := os.Stat(f.complete())
	return err == nil
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

// buildTimeout is how long to wait for another diffrun that builds the same release.
const buildTimeout = time.Hour

// build writes the module of the program and builds it, unless another diffrun does it meanwhile.
func (f folder) build(ctx context.Context, kubernetes staging.Module) (err error) {
	if err := os.MkdirAll(string(f), 0o755); err != nil {
		return fmt.Errorf("there is no folder for the program of Kubernetes %s: %w; set XDG_CACHE_HOME to a folder in which "+
			"files can be created", kubernetes.Version, err)
	}
	lock, err := outfile.LockDirectory(ctx, string(f), "lock", buildTimeout)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	if f.isBuilt() {
		return nil
	}
	if err := writeModule(ctx, string(f), kubernetes); err != nil {
		return err
	}
	if err := write(string(f), kubernetes); err != nil {
		return err
	}
	if err := writeEmulation(ctx, string(f)); err != nil {
		return err
	}
	if err := staging.Build(ctx, string(f), f.program(), "."); err != nil {
		return fmt.Errorf("the program of Kubernetes %s does not build: %w", kubernetes.Version, err)
	}
	if err := os.RemoveAll(filepath.Join(string(f), copiedModules)); err != nil { // 20 MB that nothing reads again
		return err
	}
	return outfile.Write(f.complete(), []byte(kubernetes.Version+"\n"))
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
