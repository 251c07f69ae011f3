package release

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDownloadMistakes: the message says what is wrong, what is accepted, and what to do.
func TestDownloadMistakes(t *testing.T) {
	nothing := func(t *testing.T) {
		t.Setenv("GOPROXY", "off")
		t.Setenv("GOMODCACHE", t.TempDir())
	}
	for _, row := range []struct {
		why, version string
		set          func(t *testing.T)
		want         []string
	}{
		{"a release without a proxy", "v1.36.99", nothing, []string{
			"release v1.36.99 of Kubernetes cannot be downloaded: ",
			"disabled by GOPROXY=off",
			`"go list -m -versions k8s.io/kubernetes"`,
			"(GOPROXY) must be reachable",
		}},
		{"the last patch without a proxy", "v1.36", nothing, []string{"release v1.36 of Kubernetes cannot be downloaded: "}},
		{"no go command", "v1.36.99", func(t *testing.T) {
			t.Setenv("PATH", t.TempDir())
		}, []string{"the go command, which is not in PATH: install Go"}},
		{"no folder for what is built", "v1.36.99", func(t *testing.T) {
			for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData", "home"} {
				t.Setenv(name, "")
			}
		}, []string{"there is no folder for built programs: ", "set XDG_CACHE_HOME"}},
		{"a version that it cannot emulate", "v1.36.99", nothing, []string{"v1.36.99 cannot emulate 1.30; accepted: 1.33 to 1.36"}},
		{"no release", "v1.36.x", nothing, []string{`"v1.36.x" is not a release of Kubernetes; accepted: `}},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Setenv("XDG_CACHE_HOME", t.TempDir())
			row.set(t)
			options := Options{Version: row.version}
			if strings.Contains(row.why, "emulate") {
				options.Emulates = "1.30"
			}
			err := Download(t.Context(), options)
			for _, want := range row.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("error: %v, want %q", err, want)
				}
			}
		})
	}
}

// TestBuiltIsNotDownloaded: a machine that has the program needs neither a network nor Go.
func TestBuiltIsNotDownloaded(t *testing.T) {
	cache := t.TempDir()
	of := programOf(cache, "v1.36.99")
	if err := os.MkdirAll(of.Folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{of.Path(), of.Complete()} {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if err := Download(t.Context(), Options{Version: "v1.36.99", Cache: cache}); err != nil {
		t.Error(err)
	}
}

func TestBuildWithoutFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	err := programOf(file, "v1.36.99").Build(t.Context(), func(string) error { return nil })
	for _, want := range []string{
		"there is no folder for the program of Kubernetes v1.36.99: ",
		"set XDG_CACHE_HOME to a folder in which files can be created",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error: %v, want %q", err, want)
		}
	}
}

func TestUnavailable(t *testing.T) {
	err := unavailable("v1.38.0", &os.PathError{Op: "a", Path: "requires go >= 1.27.0", Err: os.ErrInvalid})
	if err == nil || !strings.HasSuffix(err.Error(), "; install a newer release of Go") {
		t.Errorf("error: %v", err)
	}
}
