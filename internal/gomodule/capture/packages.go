package capture

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
)

// listed is a package as the go command knows it.
type listed struct {
	ImportPath, Dir, Name, ForTest     string
	Standard, DepOnly                  bool
	GoFiles, CgoFiles                  []string
	TestGoFiles, XTestGoFiles, Imports []string
	Deps                               []string
	Module                             *module
	Error                              *struct{ Err string }
}

// module is a module as the go command knows it.
type module struct {
	Path, Version, Dir, GoMod string
	Main                      bool
	Replace                   *module
}

// folder is where the sources of the module are.
func (m *module) folder() string {
	if m.Replace != nil && m.Replace.Dir != "" {
		return m.Replace.Dir
	}
	return m.Dir
}

// runner runs the go command where the user would.
type runner struct {
	dir string
	env []string
}

// output gives what a go command prints to stdout. The error has what it prints to stderr.
func (r runner) output(ctx context.Context, program string, arguments ...string) ([]byte, error) {
	run := exec.CommandContext(ctx, program, arguments...)
	run.Dir, run.Env = r.dir, r.env
	var problems bytes.Buffer
	run.Stderr = &problems
	out, err := run.Output()
	if err != nil {
		said := strings.TrimSpace(problems.String())
		if said == "" {
			said = err.Error()
		}
		return out, errors.New(said)
	}
	return out, nil
}

const listedKeys = "-json=ImportPath,Dir,Name,ForTest,Standard,DepOnly,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Deps,Module,Error"

// packages lists the packages that the command tests and, with deps, all that they and their
// tests need.
func (r runner) packages(ctx context.Context, t *testCommand, modfile string, deps bool) ([]*listed, error) {
	flags := []string{"-e", listedKeys}
	if deps {
		flags = append(flags, "-deps", "-test")
	}
	found, err := goList[*listed](ctx, r, t, modfile, append(append(flags, "--"), t.packages...)...)
	if err != nil {
		return nil, fmt.Errorf("the go command cannot list the packages to test: %w", err)
	}
	var all []*listed
	for _, p := range found {
		// Variants for tests repeat packages and their files.
		if p.ForTest == "" && !strings.HasSuffix(p.ImportPath, ".test") && p.Dir != "" {
			all = append(all, p)
		}
	}
	if !slices.ContainsFunc(all, func(p *listed) bool { return !p.DepOnly }) {
		return nil, fmt.Errorf("%s matches no package; name packages as go test takes them, such as \"./...\"", strings.Join(t.packages, " "))
	}
	for _, p := range all {
		if p.Error != nil && !p.DepOnly && len(p.GoFiles)+len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			return nil, fmt.Errorf("package %s: %s", p.ImportPath, strings.TrimSpace(p.Error.Err))
		}
	}
	return all, nil
}

// mainModules gives the main modules: several in a workspace.
func (r runner) mainModules(ctx context.Context, t *testCommand, modfile string) ([]module, error) {
	found, err := goList[module](ctx, r, t, modfile, "-m", "-json")
	if err != nil {
		return nil, fmt.Errorf("the go command finds no module here: %w", err)
	}
	var all []module
	for _, m := range found {
		if m.Main && m.Dir != "" {
			all = append(all, m)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("the go command finds no module here; run diffrun capture in the folder of a module")
	}
	return all, nil
}

// goList runs "go list -json" about the packages of a command, and reads the objects that it
// writes.
func goList[T any](ctx context.Context, r runner, t *testCommand, modfile string, flags ...string) (all []T, err error) {
	out, err := r.output(ctx, t.program, t.list(modfile, flags...)...)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(out))
	for {
		var one T
		if err := decoder.Decode(&one); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		all = append(all, one)
	}
}
