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
)

// built is the program of a release.
type built struct {
	version, program string
}

// build returns the program of a release. Its name in the cache has a digest of what it is made from, so a new
// diffrun does not run an old program.
func build(ctx context.Context, options Options) (built, error) {
	if err := parse(options.Version); err != nil {
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
		if program := programFile(cache, version); exists(program) {
			return built{version, program}, nil
		}
	}
	ended := said("downloading Kubernetes " + version)
	kubernetes, err := download(ctx, version)
	ended()
	if err != nil {
		return built{}, err
	}
	program := programFile(cache, kubernetes.Version)
	if exists(program) {
		return built{kubernetes.Version, program}, nil
	}
	ended = said("building Kubernetes " + kubernetes.Version + ", which takes minutes the first time")
	defer ended()
	return built{kubernetes.Version, program}, compile(ctx, kubernetes, program)
}

// programFile is the program of a release in the cache.
func programFile(cache, version string) string {
	name := "kubernetes-" + version + "-" + digest()
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(cache, name)
}

// digest is that of the sources of the program and of the Go release.
func digest() string {
	sum := sha256.New()
	fmt.Fprint(sum, runtime.Version(), providersText)
	names, _ := fs.Glob(programFiles, "program/*") // the pattern is well-formed
	for _, name := range names {
		text, _ := programFiles.ReadFile(name) // the files are embedded
		fmt.Fprintf(sum, "%s %d\n%s", name, len(text), text)
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// compile writes the module of the program and builds it. Another diffrun may do the same at the same time.
func compile(ctx context.Context, kubernetes source, program string) (err error) {
	cache := filepath.Dir(program)
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(cache, "build-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := write(dir, kubernetes); err != nil {
		return err
	}
	out := filepath.Join(dir, filepath.Base(program))
	if _, err := goCommand(ctx, dir, "build", "-buildvcs=false", "-ldflags=-s -w", "-o", out, "."); err != nil {
		return fmt.Errorf("Kubernetes %s does not build: %w", kubernetes.Version, err)
	}
	return os.Rename(out, program)
}
