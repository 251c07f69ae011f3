package controlplane

import (
	"context"
	"os"
	"path/filepath"

	"github.com/diffrun/diffrun/internal/staging"
)

// BuildRelease builds the kube-apiserver of a release of Kubernetes, such as v1.33.13, into a directory, in a module
// that requires what the release requires. Binaries is a directory that Build filled: its etcd is linked.
func BuildRelease(ctx context.Context, version, binaries, dir string) error {
	release, err := staging.Download(ctx, staging.Kubernetes, version)
	if err != nil {
		return err
	}
	required, err := staging.GoMod("diffrun.invalid/apiserver", release)
	if err != nil {
		return err
	}
	module := filepath.Join(dir, "module")
	if err := os.MkdirAll(module, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(module, "go.mod"), required, 0o644); err != nil {
		return err
	}
	if err := os.Symlink(filepath.Join(binaries, "etcd"), filepath.Join(dir, "etcd")); err != nil {
		return err
	}
	return build(ctx, module, dir, "-mod=mod", staging.Kubernetes+"/cmd/kube-apiserver")
}
