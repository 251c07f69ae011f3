package e2e_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"github.com/diffrun/diffrun/e2e/controlplane"
)

// oldestRelease is the oldest that is supported. It is built beside the newest, which is that of go.mod. A release in
// between would show nothing that neither of them shows, and its two programs take minutes to build.
const oldestRelease = "v1.30.14"

// newestRelease returns the release of Kubernetes that go.mod requires.
func newestRelease(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, required := range file.Require {
		if required.Mod.Path == "k8s.io/kubernetes" {
			return required.Mod.Version
		}
	}
	t.Fatal("go.mod does not require k8s.io/kubernetes")
	return ""
}

// TestUpgrade builds two releases of Kubernetes, and asks what changed between them for objects that show known changes
// of validation. The golden file is the report. Releases in between are not asked, because each would be built.
func TestUpgrade(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), filepath.Join(*binaries, "diffrun"), "upgrade", "--from", oldestRelease, "--to",
		newestRelease(t), "-f", "objects.yaml", "--between=false", "-v")
	cmd.Dir = "testdata/releases"
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Fatalf("diffrun upgrade: %v, want status 1\n%s%s", err, &stdout, &stderr)
	}
	golden(t, "testdata/releases/upgrade.txt", stdout.String())
}

// TestUpgradeCluster reads all objects of the API server, and compares its release with itself, with a feature gate
// that is off by default: nothing differs.
// This API server does not say which release it is.
func TestUpgradeCluster(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), filepath.Join(*binaries, "diffrun"), "upgrade", "--cluster", "--kubeconfig",
		plane.Kubeconfig, "--from", newestRelease(t), "--to", newestRelease(t), "--to-gates", "AllAlpha=false", "--fail-on",
		"refuses,admits")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	t.Logf("%s%s", &stderr, &stdout)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"read from the cluster: ", ", of Kubernetes " + newestRelease(t)} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("stderr lacks %q", want)
		}
	}
	if strings.Contains(stdout.String(), "\nrefused: ") || strings.Contains(stdout.String(), "\nstuck: ") {
		t.Error("the release refuses objects that its own API server has stored")
	}
}

// TestReleaseAsCluster holds the program of a release against the API server of that release: of the newest, and of the
// oldest. With the oldest, six cases differ beside those of both, about rollingUpdate.maxUnavailable of a StatefulSet and
// clusterTrustBundle of a projected volume. Their feature gates are off, so the server removes the field from the old
// object when it stores it, and then from the new one, which has no value that could be wrong. The program gets the old
// object of the case, which has the field.
func TestReleaseAsCluster(t *testing.T) {
	for _, release := range []struct{ version, kubeconfig, namespace, golden string }{
		{newestRelease(t), plane.Kubeconfig, namespace(t), "cluster.txt"},
		oldest(t),
	} {
		t.Run(release.golden, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "suite.yaml"), fmt.Sprintf(`name: release
native: {cluster: {kubeconfig: %q, namespace: %q}}
declarative: {kubernetes: %s}
cases: [%s]
`, release.kubeconfig, release.namespace, release.version, strings.Join(casesOfReleases(t), ", ")))
			out := diffrun(t, dir, "--parallel", "1", "--ignore-missing-targets", "suite.yaml")
			s := out.report.Summary
			t.Logf("%d inputs: %d equal, %d equivalent, %d excepted, %d different, %d not sent", s.Inputs, s.Equal, s.Equivalent,
				s.Excepted, s.Different, s.Fault)
			if s.Equal < 100 {
				t.Errorf("%s%s", out.stdout, out.stderr)
			}
			golden(t, filepath.Join("testdata/releases", release.golden), remarkable(out.report))
		})
	}
}

// oldest starts the API server of the oldest release, beside an etcd of its own.
func oldest(t *testing.T) (release struct{ version, kubeconfig, namespace, golden string }) {
	t.Helper()
	programs := t.TempDir()
	if err := controlplane.BuildRelease(t.Context(), oldestRelease, *binaries, programs); err != nil {
		t.Fatal(err)
	}
	server, err := controlplane.Start(t.Context(), programs, t.TempDir(), "--allow-privileged")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	release.version, release.kubeconfig, release.namespace, release.golden = oldestRelease, server.Kubeconfig, namespaceIn(t,
		server), "cluster-oldest.txt"
	return release
}

// casesOfReleases returns the patterns of the cases that releases are held against their API servers with.
func casesOfReleases(t *testing.T) []string {
	t.Helper()
	here, err := filepath.Abs("testdata/releases/objects.yaml")
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{fmt.Sprintf("%q", here)}, bundledCases(t, filepath.Join(root, "cases/kubernetes/apps"))...)
}
