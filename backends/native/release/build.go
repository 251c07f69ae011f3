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
	"time"

	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/staging"
)

// built is the program of a release.
type built struct {
	version, program string
}

// build returns the program of a release. Its name in the cache has a digest of what it is made from, so a new
// diffrun does not run an old program.
func build(ctx context.Context, options Options) (built, error) {
	if err := Check(options.Version); err != nil {
		return built{}, err
	}
	cache := options.Cache
	if cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return built{}, fmt.Errorf("there is no folder for built programs: %w; set XDG_CACHE_HOME", err)
		}
		cache = filepath.Join(user, "diffrun", "kubernetes")
	}
	said := func(doing string) func() {
		if options.Building == nil {
			return func() {}
		}
		return options.Building(doing)
	}
	version := options.Version
	if parts := releaseForm.FindStringSubmatch(version); parts[2] != "" {
		if of := folderOf(cache, version); of.isBuilt() {
			return built{version, of.program()}, nil
		}
	}
	ended := said("downloading Kubernetes " + version)
	kubernetes, err := staging.Download(ctx, staging.Kubernetes, version)
	ended()
	if err != nil {
		return built{}, err
	}
	of := folderOf(cache, kubernetes.Version)
	if of.isBuilt() {
		return built{kubernetes.Version, of.program()}, nil
	}
	ended = said("building Kubernetes " + kubernetes.Version + ", which takes minutes the first time")
	defer ended()
	return built{kubernetes.Version, of.program()}, of.build(ctx, kubernetes)
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

// patience is how long to wait for another diffrun that builds the same release.
const patience = time.Hour

// build writes the module of the program and builds it, unless another diffrun does it meanwhile.
func (f folder) build(ctx context.Context, kubernetes staging.Module) (err error) {
	if err := os.MkdirAll(string(f), 0o755); err != nil {
		return err
	}
	lock, err := outfile.LockDirectory(ctx, string(f), "lock", patience)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	if f.isBuilt() {
		return nil
	}
	if err := write(string(f), kubernetes); err != nil {
		return err
	}
	if err := writeEmulation(ctx, string(f)); err != nil {
		return err
	}
	if err := reportErrors(ctx, string(f), kubernetes.Version); err != nil {
		return err
	}
	if _, err := staging.Go(ctx, string(f), "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", f.program(), "."); err != nil {
		return fmt.Errorf("the program of Kubernetes %s does not build: %w", kubernetes.Version, err)
	}
	if err := os.RemoveAll(filepath.Join(string(f), copiedModules)); err != nil { // 20 MB that nothing reads again
		return err
	}
	return outfile.Write(f.complete(), []byte(kubernetes.Version+"\n"))
}
