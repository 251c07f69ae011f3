package controlplane

import (
	"context"
	"os"
	"path/filepath"

	"github.com/diffrun/diffrun/backends/native/release"
)

// BuildRelease builds the kube-apiserver of a release of Kubernetes, such as v1.33.13, into a directory. Binaries is a
// directory that Build filled: its etcd is linked.
func BuildRelease(ctx context.Context, version, binaries, dir string) error {
	if err := os.Symlink(filepath.Join(binaries, "etcd"), filepath.Join(dir, "etcd")); err != nil {
		return err
	}
	_, err := release.BuildCommand(ctx, version, "cmd/kube-apiserver", dir)
	return err
}
