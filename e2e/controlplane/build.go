package controlplane

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Build builds etcd, kube-apiserver, kube-controller-manager, servers of buckets and diffrun into a
// directory. Module is the directory of diffrun's module, which contains e2e. Up-to-date programs are not
// linked again; without a build cache it takes about six minutes of CPU time.
func Build(ctx context.Context, module, dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return errors.Join(
		build(ctx, filepath.Join(module, "e2e"), dir, "./etcd", "k8s.io/kubernetes/cmd/kube-apiserver",
			"k8s.io/kubernetes/cmd/kube-controller-manager"),
		build(ctx, filepath.Join(module, "e2e", "buckets"), dir, "."),
		build(ctx, module, dir, "-tags=buckets", "./cmd/diffrun"),
	)
}

func build(ctx context.Context, module, to string, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"build", "-o", to + string(filepath.Separator)}, args...)...)
	cmd.Dir = module
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("in %s: go build %v: %w\n%s", module, args, err, out)
	}
	return nil
}
