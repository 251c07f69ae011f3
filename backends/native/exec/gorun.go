package exec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/diffrun/diffrun/backends/native/exec/counting"
	"github.com/diffrun/diffrun/internal/process"
)

// goRun is a command "go run PACKAGE ARGUMENT…". "go run" would compile the package again for each copy of the
// program, at the same time, so it is built once into a temporary folder.
type goRun struct {
	*build
	command []string // as the user wrote it
	args    []string // of the program
	// close removes the built program if no other backend uses it.
	close func() error
}

// Builds shares programs between backends: if their commands are "go run" of the same package with the same flags and
// environment, the package is built once. The zero value is ready.
type Builds struct {
	mu  sync.Mutex
	all map[string]*build
}

// build is a package that is built when a backend first needs it.
type build struct {
	tool  string   // the go command
	flags []string // of the build
	what  []string // the package, or its files
	dir   string   // where the go command runs
	env   []string

	counting counting.Counter // nil: it does not count
	counted  counting.Instrumented

	of    *Builds
	users int // backends that are open, guarded by of.mu
	once  sync.Once
	done  chan struct{} // closed when the build ended
	stop  context.CancelFunc
	ctx   context.Context
	out   string // the temporary folder with the program
	err   error
}

// parseGoRun returns nil for commands that are not understood as "go run" of a package in the main module: they
// run as they are.
func parseGoRun(program string, options Options) *goRun {
	command := options.Command
	if name := strings.TrimSuffix(filepath.Base(program), ".exe"); name != "go" || len(command) < 3 || command[1] != "run" {
		return nil
	}
	b := &build{tool: program, dir: options.Dir, env: options.Env, counting: options.Counting, done: make(chan struct{})}
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
		b.flags, rest = append(b.flags, rest[:n]...), rest[n:]
	}
	files := slices.IndexFunc(rest, func(arg string) bool { return !strings.HasSuffix(arg, ".go") })
	switch {
	case files < 0:
		files = len(rest)
	case files == 0 && !strings.Contains(rest[0], "@"): // a package; go build builds no other version of it
		files = 1
	}
	if b.what = rest[:files]; len(b.what) == 0 {
		return nil
	}
	builds := options.Builds
	if builds == nil {
		builds = &Builds{}
	}
	b = builds.join(b)
	return &goRun{build: b, command: command, args: rest[files:], close: sync.OnceValue(b.leave)}
}

// join returns the build like b that other backends use, or else b.
func (of *Builds) join(b *build) *build {
	of.mu.Lock()
	defer of.mu.Unlock()
	key := b.key()
	if of.all[key] == nil {
		if of.all == nil {
			of.all = map[string]*build{}
		}
		b.of = of
		b.ctx, b.stop = context.WithCancel(context.Background())
		of.all[key] = b
	}
	of.all[key].users++
	return of.all[key]
}

// source returns what is built.
func (b *build) source() counting.Program {
	return counting.Program{Tool: b.tool, Dir: b.dir, Env: b.env, Flags: b.flags, Packages: b.what}
}

// key is equal for builds of the same program. A package is named from the directory of a suite.
func (b *build) key() string {
	var what []string
	dir, err := filepath.Abs(b.dir)
	for _, name := range b.what {
		if err == nil && (strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".go")) {
			name = filepath.Join(dir, name)
		} else { // an import path, which depends on the module of the directory
			name = dir + " " + name
		}
		what = append(what, name)
	}
	return fmt.Sprintf("%q %q %q %q", b.tool, b.flags, what, b.env)
}

// The flags of "go build" that a suite may give to "go run".
var (
	buildFlags = []string{"a", "race", "msan", "asan", "cover", "v", "x", "work", "trimpath", "modcacherw", "linkshared",
		"buildvcs"}
	buildFlagsWithValue = []string{
		"asmflags",
		"buildmode",
		"compiler",
		"covermode",
		"coverpkg",
		"gccgoflags",
		"gcflags",
		"installsuffix",
		"ldflags",
		"mod",
		"modfile",
		"overlay",
		"p",
		"pgo",
		"pkgdir",
		"tags",
		"toolexec",
	}
)

// String returns the command as the user wrote it.
func (g *goRun) String() string { return strings.Join(g.command, " ") }

// file is the built program.
func (b *build) file() string {
	name := "validator"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(b.out, name)
}

// program waits until the package is built, and returns the program. The build goes on when ctx ends, for the next
// case, until the last backend that uses it is closed.
func (b *build) program(ctx context.Context) (string, error) {
	b.once.Do(func() {
		go func() {
			defer close(b.done)
			b.err = b.make()
		}()
	})
	select {
	case <-b.done:
		return b.file(), b.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// isBuilt reports whether the build has ended.
func (b *build) isBuilt() bool {
	select {
	case <-b.done:
		return true
	default:
		return false
	}
}

// arguments are those of the go command. The linker leaves debug information out, as it does for "go run".
func (b *build) arguments(flags []string) []string {
	arguments := []string{"build", "-buildvcs=false", "-o", b.file()}
	if !slices.ContainsFunc(flags, func(flag string) bool { return strings.HasPrefix(strings.TrimLeft(flag, "-"), "ldflags") }) {
		arguments = append(arguments, "-ldflags=-s -w")
	}
	return slices.Concat(arguments, flags, b.what)
}

// make builds the package.
func (b *build) make() (err error) {
	if b.out, err = os.MkdirTemp("", "diffrun-validator-*"); err != nil {
		return err
	}
	if b.counting == nil {
		return b.run(b.flags)
	}
	program := b.source()
	counted := b.counting.Instrument(b.ctx, program)
	if counted.Close != nil {
		defer func() { err = errors.Join(err, counted.Close()) }()
	}
	if counted.Counters == 0 {
		return b.run(b.flags)
	}
	err = b.run(counted.Flags)
	if err == nil {
		b.counted = counted
		return nil
	}
	plain := b.run(b.flags)
	if plain == nil {
		b.counting.NotBuilt(program, err)
	}
	return plain
}

// run runs "go build".
func (b *build) run(flags []string) error {
	said := &process.Tail{}
	command := osexec.CommandContext(b.ctx, b.tool, b.arguments(flags)...)
	command.Dir, command.Env = b.dir, slices.Concat(os.Environ(), b.env)
	command.Stdout, command.Stderr = said, said
	process.InGroup(command)
	switch err := command.Run(); {
	case err == nil:
		return nil
	case b.ctx.Err() != nil:
		return errClosed
	default:
		return fmt.Errorf("the validator does not build: %s: %w; on stderr:\n%s",
			strings.Join(slices.Concat([]string{"go", "build"}, b.flags, b.what), " "), err, bytes.TrimSpace([]byte(said.String())))
	}
}

// leave is called when a backend is closed. The last one removes the built program.
func (b *build) leave() error {
	b.of.mu.Lock()
	b.users--
	last := b.users == 0
	if last {
		delete(b.of.all, b.key())
	}
	b.of.mu.Unlock()
	if !last {
		return nil
	}
	b.stop()
	b.once.Do(func() { close(b.done) }) // it never began
	<-b.done
	if b.out == "" {
		return nil
	}
	return os.RemoveAll(b.out)
}
