package diffrun_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// goModules are the directories of the repository that have a go.mod.
var goModules = []string{".", "tools"}

// TestModulesCanBeListed checks that go.mod selects a released version of every module. If it did not, `go
// list -m all` and `go doc` would print errors about versions that cannot be downloaded.
func TestModulesCanBeListed(t *testing.T) {
	for _, dir := range goModules {
		dependOn(t, filepath.Join(dir, "go.mod"))
		modules := goJSON[listedModule](t, "-C", dir, "list", "-m", "-e", "-json=Path,Version,Error", "all")
		if len(modules) < 2 {
			t.Errorf("%s: only %d modules are listed", dir, len(modules))
		}
		for _, m := range modules {
			if m.Version == "v0.0.0" {
				t.Errorf("%s/go.mod selects %s v0.0.0, which was never released: require its released version and import it in "+
					"backends/native/kubernetes/modules.go", dir, m.Path)
			} else if m.Error != nil && !isOffline(m.Error.Err) {
				t.Errorf("%s: go list -m all: %s %s: %s", dir, m.Path, m.Version, m.Error.Err)
			}
		}
	}
}

// isOffline reports whether the go command had no access to a module proxy. It
// then cannot look versions up, so its error says nothing about go.mod.
func isOffline(message string) bool {
	return strings.Contains(message, "disabled by GOPROXY=off") || strings.Contains(message, "dial tcp")
}

// TestGoInstallWorks checks that go.mod has no replace and no exclude directive: `go install
// module/cmd@version` refuses modules that have one.
func TestGoInstallWorks(t *testing.T) {
	for _, dir := range goModules {
		dependOn(t, filepath.Join(dir, "go.mod"))
		for _, mod := range goJSON[moduleFile](t, "-C", dir, "mod", "edit", "-json") {
			if len(mod.Replace) > 0 || len(mod.Exclude) > 0 {
				t.Errorf("%s/go.mod has replace %s and exclude %s; go install refuses both", dir, mod.Replace, mod.Exclude)
			}
		}
	}
}

type listedModule struct {
	Path, Version string
	Error         *struct{ Err string }
}

type moduleFile struct {
	Replace, Exclude []json.RawMessage
}

// dependOn tells `go test` that the result of a test depends on a file which
// only the go command reads. `go test` would otherwise print a cached result
// after the file changed.
func dependOn(t *testing.T, file string) {
	t.Helper()
	if _, err := os.Stat(file); err != nil {
		t.Fatal(err)
	}
}

// goJSON runs the go command and decodes the JSON values that it prints.
func goJSON[T any](t *testing.T, args ...string) []T {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", args...).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, exit.Stderr)
	} else if err != nil {
		t.Fatal(err)
	}
	var values []T
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var value T
		if err := decoder.Decode(&value); errors.Is(err, io.EOF) {
			return values
		} else if err != nil {
			t.Fatalf("go %s: %v", strings.Join(args, " "), err)
		}
		values = append(values, value)
	}
}
