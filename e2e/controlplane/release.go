package controlplane

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"golang.org/x/mod/modfile"

	"github.com/diffrun/diffrun/internal/staging"
)

// BuildRelease builds the kube-apiserver of a release of Kubernetes, such as v1.33.13, into a directory that has
// the etcd of Build. Its requirements are those of the release, in a module of its own.
func BuildRelease(ctx context.Context, version, binaries, dir string) error {
	module := filepath.Join(dir, "module")
	if err := os.MkdirAll(module, 0o755); err != nil {
		return err
	}
	required, err := releaseModule(ctx, version)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(module, "go.mod"), required, 0o644); err != nil {
		return err
	}
	if err := os.Symlink(filepath.Join(binaries, "etcd"), filepath.Join(dir, "etcd")); err != nil {
		return err
	}
	return build(ctx, module, dir, "-mod=mod", "k8s.io/kubernetes/cmd/kube-apiserver")
}

// releaseModule returns a go.mod that requires a release and what it requires.
func releaseModule(ctx context.Context, version string) ([]byte, error) {
	const kubernetes = "k8s.io/kubernetes"
	out, err := exec.CommandContext(ctx, "go", "mod", "download", "-json", kubernetes+"@"+version).Output()
	var downloaded struct{ GoMod, Error string }
	if read := json.Unmarshal(out, &downloaded); err != nil || read != nil {
		return nil, fmt.Errorf("go mod download %s@%s: %w %s", kubernetes, version, errors.Join(err, read), downloaded.Error)
	}
	of, _, err := staging.Requirements(downloaded.GoMod, version)
	if err != nil {
		return nil, err
	}
	file := new(modfile.File)
	if err := errors.Join(file.AddModuleStmt("apiserver"), file.AddGoStmt(of.Go.Version), file.AddRequire(kubernetes, version)); err != nil {
		return nil, err
	}
	for _, r := range of.Require {
		file.AddNewRequire(r.Mod.Path, r.Mod.Version, r.Indirect)
	}
	file.Cleanup()
	return file.Format()
}
