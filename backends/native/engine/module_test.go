package engine

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/internal/staging"
)

// TestSources: the sources of each program are Go without the constraint that keeps them out of diffrun's build.
func TestSources(t *testing.T) {
	for _, of := range Engines() {
		files := sources(of)
		if files["main.go"] == nil || files["webhook.go"] == nil {
			t.Errorf("%s has the files %v", of.Name, len(files))
		}
		for name, text := range files {
			if strings.Contains(string(text), "go:build") {
				t.Errorf("%s: %s would not be built", of.Name, name)
			}
			if _, err := parser.ParseFile(token.NewFileSet(), name, text, 0); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestRequirements: Go ignores the replacements of a module that is required, so those by other modules are copied; those by
// folders of its repository are not there.
func TestRequirements(t *testing.T) {
	goMod := filepath.Join(t.TempDir(), "go.mod")
	const text = `module github.com/kyverno/kyverno

go 1.26.0

require k8s.io/pod-security-admission v0.36.3

require example.com/indirect v1.0.0 // indirect

replace k8s.io/pod-security-admission => github.com/kyverno/pod-security-admission v0.0.0-20251031094455-46f20778634f

replace example.com/indirect => ./indirect
`
	if err := os.WriteFile(goMod, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	made, err := requirements("github.com/kyverno/kyverno", staging.Module{Version: "v1.19.1", GoMod: goMod})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"module diffrun.invalid/engine\n", "go 1.26.0\n", "github.com/kyverno/kyverno v1.19.1\n", "example.com/indirect v1.0.0 // indirect",
		"replace k8s.io/pod-security-admission => github.com/kyverno/pod-security-admission v0.0.0",
	} {
		if !strings.Contains(string(made), want) {
			t.Errorf("no %q in:\n%s", want, made)
		}
	}
	if strings.Contains(string(made), "./indirect") {
		t.Errorf("a folder of the engine's repository is required:\n%s", made)
	}
}

// TestModulePath: the second and later major versions of a module are in its path.
func TestModulePath(t *testing.T) {
	gatekeeper, _ := Named("gatekeeper")
	kyverno, _ := Named("kyverno")
	if got := gatekeeper.modulePath("v3.23.1"); got != "github.com/open-policy-agent/gatekeeper/v3" {
		t.Error(got)
	}
	if got := kyverno.modulePath("v1.19.1"); got != "github.com/kyverno/kyverno" {
		t.Error(got)
	}
}
