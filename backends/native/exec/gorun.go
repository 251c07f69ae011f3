package exec

import (
	"bytes"
	"context"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// goRun is a command "go run PACKAGE ARGUMENT…". "go run" would compile the package again for each copy of the
// program, at the same time, so it is built once into a temporary folder.
type goRun struct {
	command []string // as the user wrote it
	tool    string   // the go command
	flags   []string // of the build
	what    []string // the package, or its files
	args    []string // of the program

	build sync.Once
	built chan struct{} // closed when the build ended
	dir   string
	err   error
}

// parseGoRun returns nil for commands that are not understood as "go run" of a package in the main module: they
// run as they are.
func parseGoRun(program string, command []string) *goRun {
	if name := strings.TrimSuffix(filepath.Base(program), ".exe"); name != "go" || len(command) < 3 || command[1] != "run" {
		return nil
	}
	g := &goRun{command: command, tool: program, built: make(chan struct{})}
	rest := command[2:]
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		name, _, hasValue := strings.Cut(strings.TrimLeft(rest[0], "-"), "=")
		n := 1
		switch {
		case slices.Contains(buildFlags, name):
		case slices.Contains(buildFlagsWithValue, name) && hasValue:
		case slices.Contains(buildFlagsWithValue, name) && len(rest) > 1:
			n = 2
		default:
			return nil // -exec, -C, or a flag of a later release
		}
		g.flags, rest = append(g.flags, rest[:n]...), rest[n:]
	}
	files := slices.IndexFunc(rest, func(arg string) bool { return !strings.HasSuffix(arg, ".go") })
	switch {
	case files < 0:
		files = len(rest)
	case files == 0 && !strings.Contains(rest[0], "@"): // a package; go build builds no other version of it
		files = 1
	}
	g.what, g.args = rest[:files], rest[files:]
	if len(g.what) == 0 {
		return nil
	}
	return g
}

// The flags of "go build" that a suite may give to "go run".
var (
	buildFlags          = []string{"a", "race", "msan", "asan", "cover", "v", "x", "work", "trimpath", "modcacherw", "linkshared", "buildvcs"}
	buildFlagsWithValue = []string{"asmflags", "buildmode", "compiler", "covermode", "coverpkg", "gccgoflags", "gcflags", "installsuffix", "ldflags", "mod", "modfile", "overlay", "p", "pgo", "pkgdir", "tags", "toolexec"}
)

// String returns the command as the user wrote it.
func (g *goRun) String() string { return strings.Join(g.command, " ") }

// file is the built program.
func (g *goRun) file() string {
	name := "validator"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(g.dir, name)
}

// program waits until the package is built, and returns the program. The build goes on when ctx ends, for the next
// case, until closing is closed.
func (g *goRun) program(ctx context.Context, options Options, closing <-chan struct{}) (string, error) {
	g.build.Do(func() {
		go func() {
			defer close(g.built)
			g.err = g.make(options, closing)
		}()
	})
	select {
	case <-g.built:
		return g.file(), g.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// isBuilt reports whether the build has ended.
func (g *goRun) isBuilt() bool {
	select {
	case <-g.built:
		return true
	default:
		return false
	}
}

// make builds the package.
func (g *goRun) make(options Options, closing <-chan struct{}) (err error) {
	if g.dir, err = os.MkdirTemp("", "diffrun-validator-*"); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-closing:
			cancel()
		case <-ctx.Done():
		}
	}()
	said := &tail{}
	command := osexec.CommandContext(ctx, g.tool, slices.Concat([]string{"build", "-buildvcs=false", "-o", g.file()}, g.flags, g.what)...)
	command.Dir, command.Env = options.Dir, slices.Concat(os.Environ(), options.Env)
	command.Stdout, command.Stderr = said, said
	ownGroup(command)
	command.Cancel = func() error { killGroup(command.Process); return nil }
	command.WaitDelay = grace
	switch err := command.Run(); {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return errClosed
	default:
		return fmt.Errorf("the validator does not build: %s: %w; on stderr:\n%s", strings.Join(slices.Concat([]string{"go", "build"}, g.flags, g.what), " "), err, bytes.TrimSpace([]byte(said.String())))
	}
}

// remove removes the built program. The build must have ended, or never begun.
func (g *goRun) remove() error {
	begun := true
	g.build.Do(func() { begun = false; close(g.built) })
	if !begun {
		return nil
	}
	<-g.built
	if g.dir == "" {
		return nil
	}
	return os.RemoveAll(g.dir)
}
