// Package staging reads which modules a release of Kubernetes requires.
//
// k8s.io/kubernetes requires its staging modules, such as k8s.io/api, at v0.0.0, a version that exists only inside
// its repository. Released, they are v0.N.P for Kubernetes v1.N.P. In comes the go.mod of a release, out go its
// requirements at versions that can be downloaded.
package staging

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/mod/modfile"
)

// placeholder is the version at which a release requires its staging modules.
const placeholder = "v0.0.0"

// Requirements returns the parsed go.mod of a release of Kubernetes, such as v1.36.3, with the released versions of
// its staging modules, and the paths of these modules.
func Requirements(goMod, release string) (file *modfile.File, modules []string, err error) {
	data, err := os.ReadFile(goMod)
	if err != nil {
		return nil, nil, err
	}
	if file, err = modfile.ParseLax(goMod, data, nil); err != nil {
		return nil, nil, fmt.Errorf("the requirements of Kubernetes %s: %w", release, err)
	}
	for _, require := range file.Require {
		if require.Mod.Version == placeholder {
			require.Mod.Version = Version(release)
			modules = append(modules, require.Mod.Path)
		}
	}
	return file, modules, nil
}

// Version returns the version of the staging modules of a release: v0.36.3 for v1.36.3.
func Version(release string) string { return "v0" + strings.TrimPrefix(release, "v1") }
