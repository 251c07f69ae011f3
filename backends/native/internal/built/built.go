// Package built keeps programs that are built once, in a folder of the cache of the user: the validators of a release of
// Kubernetes, or the engine of policies. Several processes may ask for the same program at once; one of them builds it.
package built

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/staging"
)

// Cache returns the folder of the cache for programs of a kind, such as "kubernetes". given is what the caller was told;
// empty: it is in the cache of the user.
func Cache(given, kind string) (string, error) {
	if given != "" {
		return given, nil
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("there is no folder for built programs: %w; set XDG_CACHE_HOME", err)
	}
	return filepath.Join(user, "diffrun", kind), nil
}

// Program is a program in a folder of the cache. A file in the folder says that it is complete.
type Program struct {
	// Title is for people, as in "Kubernetes v1.36.3".
	Title string
	// Folder is where the program is built and kept. Its name has a digest of all that the program is made from.
	Folder string
	// Name is that of the program, without the ending of the operating system.
	Name string
}

// Path returns the path of the program.
func (p Program) Path() string {
	name := p.Name
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(p.Folder, name)
}

// Complete returns the path of the file that says that the program is complete.
func (p Program) Complete() string { return filepath.Join(p.Folder, "complete") }

// IsBuilt reports whether the program is there, and complete.
func (p Program) IsBuilt() bool {
	_, complete := os.Stat(p.Complete())
	_, program := os.Stat(p.Path())
	return complete == nil && program == nil
}

// timeout is how long to wait for another process that builds the same program.
const timeout = time.Hour

// Build builds the program, unless another process does it meanwhile. write writes the module of the program into its folder;
// leftovers are files in it that nothing reads after the build.
func (p Program) Build(ctx context.Context, write func(folder string) error, leftovers ...string) (err error) {
	if err := os.MkdirAll(p.Folder, 0o755); err != nil {
		return fmt.Errorf("there is no folder for the program of %s: %w; set XDG_CACHE_HOME to a folder in which files can be "+
			"created", p.Title, err)
	}
	lock, err := outfile.LockDirectory(ctx, p.Folder, "lock", timeout)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	if p.IsBuilt() {
		return nil
	}
	if err := write(p.Folder); err != nil {
		return err
	}
	if err := staging.Build(ctx, p.Folder, p.Path(), "."); err != nil {
		return fmt.Errorf("the program of %s does not build: %w", p.Title, err)
	}
	for _, name := range leftovers {
		if err := os.RemoveAll(filepath.Join(p.Folder, name)); err != nil {
			return err
		}
	}
	return outfile.Write(p.Complete(), []byte(p.Title+"\n"))
}
