package e2e_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/e2e/controlplane"
)

var (
	binaries = flag.String("bin", "bin", "directory of the servers and of diffrun; they are built into it")
	objects  = flag.Int("objects", 200, "generated objects for each definition and kind of request")
	update   = flag.Bool("update", false, "write the golden files anew")
	seed     = flag.Uint64("seed", 1, "seed of what is generated")
)

// asked are versions that the API server serves only when it is asked to. Cases are written in them.
var asked = []string{
	"certificates.k8s.io/v1beta1=true",
	"resource.k8s.io/v1beta1=true",
	"resource.k8s.io/v1beta2=true",
	"storagemigration.k8s.io/v1beta1=true",
}

// plane is the API server that the tests share. Each test uses its own kinds or its own namespace.
var plane *controlplane.ControlPlane

func TestMain(m *testing.M) {
	flag.Parse()
	status, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

func run(m *testing.M) (int, error) {
	ctx := context.Background()
	var err error
	if *binaries, err = filepath.Abs(*binaries); err != nil {
		return 1, err
	}
	if err := controlplane.Build(ctx, "..", *binaries); err != nil {
		return 1, err
	}
	dir, err := os.MkdirTemp("", "diffrun-e2e-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir)
	if plane, err = controlplane.Start(ctx, *binaries, dir, "--allow-privileged",
		"--runtime-config="+strings.Join(asked, ",")); err != nil {
		return 1, err
	}
	defer plane.Stop()
	return m.Run(), nil
}
