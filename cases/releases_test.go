package cases_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/cases"
)

// TestReleaseMistakes: a suite that names a release wrongly builds nothing.
func TestReleaseMistakes(t *testing.T) {
	for _, tt := range []struct{ why, native, declarative, want string }{
		{"a release without its letter", "{kubernetes: 1.33.13}", "{builtin: widgets}",
			`suite.yaml:2: kubernetes: "1.33.13" is not a release of Kubernetes; accepted: v1.MINOR.PATCH, as in v1.33.13, ` +
				`or v1.MINOR for its last patch`},
		{"a release beside what no release is compared with", "{builtin: widgets}", "{kubernetes: v1.37.2}",
			`suite.yaml:2: declarative is a release of Kubernetes, which is compared with another release or a cluster; ` +
				`accepted here: {kubernetes: RELEASE}, {cluster: {kubeconfig: …, context: …, namespace: …}}`},
		{"two validators", "{kubernetes: v1.33.13, builtin: widgets}", "{kubernetes: v1.37.2}",
			`suite.yaml:2: native must name one validator; accepted: `},
		{"guards around a release, which has no admission", "{kubernetes: v1.33.13, policies: [p.yaml]}", "{kubernetes: v1.37.2}",
			`suite.yaml:2: native names kubernetes beside policies; a release validates without admission: name builtin: ` +
				`kubernetes, or remove policies`},
	} {
		t.Run(tt.why, func(t *testing.T) {
			dir := t.TempDir()
			text := "name: up\nnative: " + tt.native + "\ndeclarative: " + tt.declarative + "\ncases: [cases.yaml]\n"
			for name, content := range map[string]string{
				"suite.yaml": text,
				"cases.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_, err := cases.Load([]cases.Location{{Files: &cases.Files{FS: disk{}, OnDisk: true}, Name: dir + "/suite.yaml"}}, options())
			if err == nil {
				t.Fatal("the suite was loaded")
			}
			got := strings.ReplaceAll(err.Error(), dir+"/", "")
			if !strings.HasPrefix(got, tt.want) {
				t.Errorf("-want +got:\n%s", cmp.Diff(tt.want, got))
			}
		})
	}
}

// TestReleaseThatDoesNotExist: it is reported before the other release is built, which takes minutes.
func TestReleaseThatDoesNotExist(t *testing.T) {
	goEnv := func(arguments ...string) string {
		out, err := exec.Command("go", arguments...).Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	exists := goEnv("list", "-m", "-f", "{{.Version}}", "k8s.io/kubernetes")
	// The cache of the machine has it then, with what a build alone does not keep: which version it is. Its checksum is in go.sum, which
	// does not count outside of this module.
	goEnv("mod", "download", "k8s.io/kubernetes@"+exists)
	t.Setenv("GONOSUMDB", "k8s.io/kubernetes")
	t.Setenv("GOPROXY", "off")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir, started := t.TempDir(), []string{}
	for name, content := range map[string]string{
		"suite.yaml": "name: up\nnative: {kubernetes: " + exists + "}\ndeclarative: {kubernetes: v1.36.99}\ncases: [cases.yaml]\n",
		"cases.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	with := options()
	with.Starting = func(doing string) func() {
		started = append(started, doing)
		return func() {}
	}
	_, err := cases.Load([]cases.Location{{Files: &cases.Files{FS: disk{}, OnDisk: true}, Name: dir + "/suite.yaml"}}, with)
	if err == nil || !strings.Contains(err.Error(), "suite.yaml:3: kubernetes: release v1.36.99 of Kubernetes cannot be downloaded: ") ||
		strings.Contains(err.Error(), "suite.yaml:2") {
		t.Errorf("Load: %v", err)
	}
	if want := []string{"downloading Kubernetes v1.36.99", "downloading Kubernetes " + exists}; !slices.Equal(started, want) {
		t.Errorf("started: %q, want %q", started, want)
	}
}

// TestReleaseInMemory: a suite that is no file of the operating system starts no builds.
func TestReleaseInMemory(t *testing.T) {
	_, err := load(t, map[string]string{
		"s/suite.yaml": "name: up\nnative: {kubernetes: v1.33.13}\ndeclarative: {kubernetes: v1.37.2}\ncases: [c.yaml]\n",
		"s/c.yaml":     "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
	})
	if err == nil || !strings.Contains(err.Error(), "only a suite on disk can build a release of Kubernetes") {
		t.Errorf("Load: %v", err)
	}
}
