package staging_test

import (
	"debug/buildinfo"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"github.com/diffrun/diffrun/internal/staging"
)

// release writes the go.mod of a release.
func release(t *testing.T) staging.Module {
	t.Helper()
	goMod := filepath.Join(t.TempDir(), "go.mod")
	const content = `module k8s.io/kubernetes

go 1.26.0

require (
	k8s.io/api v0.0.0
	k8s.io/klog/v2 v2.140.0
	example.com/indirect v0.0.0-20260101000000-000000000000 // indirect
)

replace k8s.io/api => ./staging/src/k8s.io/api
`
	if err := os.WriteFile(goMod, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return staging.Module{Version: "v1.38.2", GoMod: goMod}
}

var want = map[string]string{
	"k8s.io/api":           "v0.38.2",
	"k8s.io/klog/v2":       "v2.140.0",
	"example.com/indirect": "v0.0.0-20260101000000-000000000000",
}

func TestRequirements(t *testing.T) {
	file, modules, err := staging.Requirements(release(t))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(modules, []string{"k8s.io/api"}) {
		t.Errorf("staging modules: %v", modules)
	}
	compare(t, file.Require, want)
	if _, _, err := staging.Requirements(staging.Module{GoMod: filepath.Join(t.TempDir(), "go.mod")}); err == nil {
		t.Error("a file that is not there has no requirements")
	}
}

func TestGoMod(t *testing.T) {
	data, err := staging.GoMod("example.com/program", release(t))
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	if file.Module.Mod.Path != "example.com/program" || file.Go.Version != "1.26.0" || len(file.Replace) > 0 {
		t.Errorf("written:\n%s", data)
	}
	all := map[string]string{staging.Kubernetes: "v1.38.2"}
	for module, version := range want {
		all[module] = version
	}
	compare(t, file.Require, all)
}

func compare(t *testing.T, required []*modfile.Require, want map[string]string) {
	t.Helper()
	for _, require := range required {
		if require.Mod.Version != want[require.Mod.Path] {
			t.Errorf("%v, want %s", require.Mod, want[require.Mod.Path])
		}
	}
	if len(required) != len(want) {
		t.Errorf("%d requirements, want %d", len(required), len(want))
	}
}

// TestGo: what the go command wrote to stderr is in the error.
func TestGo(t *testing.T) {
	if _, err := staging.Go(t.Context(), t.TempDir(), "list", "./nothing"); err == nil ||
		!strings.Contains(err.Error(), "go list ./nothing: ") || !strings.Contains(err.Error(), "go.mod") {
		t.Errorf("error: %v", err)
	}
}

// TestBuild: the program has the flags and the environment of a released one.
func TestBuild(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module example.com/program\n\ngo 1.25.0\n",
		"main.go": "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"built\") }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(dir, "program")
	if err := staging.Build(t.Context(), dir, program, "."); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), program).Output(); err != nil || string(out) != "built\n" {
		t.Errorf("printed %q, %v", out, err)
	}
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	settings := map[string]string{}
	for _, setting := range info.Settings {
		settings[setting.Key] = setting.Value
	}
	if settings["CGO_ENABLED"] != "0" || settings["-trimpath"] != "true" {
		t.Errorf("settings: %v", settings)
	}
}
