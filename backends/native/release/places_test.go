package release

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// emptyModuleCache sets an empty module cache. What this module requires is downloaded into it from the cache of the
// machine, without a network.
func emptyModuleCache(t *testing.T) {
	t.Helper()
	is, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(filepath.Join(strings.TrimSpace(string(is)), "cache", "download")))
	t.Setenv("GOSUMDB", "off")
	cache, err := os.MkdirTemp("", "diffrun-modules-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOMODCACHE", cache)
	t.Cleanup(func() {
		if output, err := exec.Command("go", "clean", "-modcache").CombinedOutput(); err != nil { // its files are read-only
			t.Errorf("%v\n%s", err, output)
		}
	})
}

// TestReportErrors: the module of the constructors is downloaded if nothing did it before.
func TestReportErrors(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Version}}", constructorsModule).Output()
	if err != nil {
		t.Fatal(err)
	}
	version := strings.TrimSpace(string(out))
	emptyModuleCache(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"),
		[]byte("module diffrun.invalid/kubernetes\n\nrequire "+constructorsModule+" "+version+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := reportErrors(t.Context(), dir, "v1"+strings.TrimPrefix(version, "v0")); err != nil {
		t.Fatal(err)
	}
	copied := "./k8s.io/apimachinery@" + version
	text, err := os.ReadFile(filepath.Join(dir, copied, filepath.FromSlash(constructorsFile)))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "return made(&Error{\n\t\tType:     ErrorTypeRequired,") {
		t.Error("the constructors of the copy do not report their errors")
	}
	goMod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(goMod), "replace "+constructorsModule+" => "+copied) {
		t.Errorf("the copy is not used:\n%s", goMod)
	}
}
