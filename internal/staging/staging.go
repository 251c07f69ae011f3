package staging

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/mod/modfile"
)

// Kubernetes is the module that has the API server.
const Kubernetes = "k8s.io/kubernetes"

// placeholder is the version at which a release requires its staging modules.
const placeholder = "v0.0.0"

// Requirements returns the parsed go.mod of a release of Kubernetes, with the released versions of its staging modules,
// and the paths of these modules.
func Requirements(release Module) (file *modfile.File, modules []string, err error) {
	data, err := os.ReadFile(release.GoMod)
	if err != nil {
		return nil, nil, err
	}
	if file, err = modfile.ParseLax(release.GoMod, data, nil); err != nil {
		return nil, nil, fmt.Errorf("the requirements of Kubernetes %s: %w", release.Version, err)
	}
	for _, require := range file.Require {
		if require.Mod.Version == placeholder {
			require.Mod.Version = Version(release.Version)
			modules = append(modules, require.Mod.Path)
		}
	}
	return file, modules, nil
}

// Version returns the version of the staging modules of a release: v0.36.3 for v1.36.3.
func Version(release string) string { return "v0" + strings.TrimPrefix(release, "v1") }

// GoMod returns the go.mod of a module with the given path that requires a release of Kubernetes, and all that it
// requires.
func GoMod(path string, release Module) ([]byte, error) {
	theirs, _, err := Requirements(release)
	if err != nil {
		return nil, err
	}
	ours := &modfile.File{}
	errs := []error{ours.AddModuleStmt(path), ours.AddRequire(Kubernetes, release.Version)}
	if theirs.Go != nil {
		errs = append(errs, ours.AddGoStmt(theirs.Go.Version))
	}
	for _, require := range theirs.Require {
		ours.AddNewRequire(require.Mod.Path, require.Mod.Version, require.Indirect)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	ours.Cleanup()
	return modfile.Format(ours.Syntax), nil
}
