package capture

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/gomodule/gotool"
)

// listed is a package as "go list" describes it.
type listed struct {
	ImportPath, Dir, Name, ForTest string
	Standard, DepOnly              bool
	GoFiles, CgoFiles              []string
	TestGoFiles, XTestGoFiles      []string
	Deps                           []string
	Module                         *gotool.Module
	Error                          *struct{ Err string }
}

const listedKeys = "-json=ImportPath,Dir,Name,ForTest,Standard,DepOnly,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Deps,Module,Error"

// packages returns the packages that the command tests and, with deps, all that they and their tests
// depend on.
func (w *workspace) packages(ctx context.Context, t *testCommand, deps bool) ([]*listed, error) {
	flags := []string{"-e", listedKeys}
	if deps {
		flags = append(flags, "-deps", "-test")
	}
	found, err := gotool.List[*listed](ctx, w.command, t.list(w.modfile, append(append(flags, "--"), t.packages...)...)...)
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
		return nil, fmt.Errorf("%s matches no package; name packages as for go test, such as \"./...\"", strings.Join(t.packages, " "))
	}
	for _, p := range all {
		if p.Error != nil && !p.DepOnly && len(p.GoFiles)+len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			return nil, fmt.Errorf("package %s: %s", p.ImportPath, strings.TrimSpace(p.Error.Err))
		}
	}
	return all, nil
}

// mainModules returns the main modules. There are several in a go.work.
func (w *workspace) mainModules(ctx context.Context) ([]*gotool.Module, error) {
	found, err := w.command.MainModules(ctx, w.tests.list(w.tests.modfile, "-m", "-json")...)
	if err != nil {
		return nil, fmt.Errorf("the go command finds no module here: %w", err)
	}
	if len(found) == 0 {
		return nil, errors.New("the go command finds no module here; run diffrun capture in the folder of a module")
	}
	return found, nil
}
