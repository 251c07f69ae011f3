package documents_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/files/documents"
)

func TestFindFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"all/b.yaml", "all/a.yml", "all/sub/c.json", "all/notes.md", "none/notes.md"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ why, name, want, err string }{
		{"a file, whatever its name is", "all/../all/notes.md", "all/notes.md", ""},
		{"the manifests of a directory, at any depth and by name", "all/", "all/a.yml all/b.yaml all/sub/c.json", ""},
		{"a directory without any", "none", "", "none: this directory and those below it have no file named .yaml, .yml, .json"},
		{"a file that does not exist", "gone", "", "gone: cannot be read: no such file or directory"},
	} {
		files, skipped, err := documents.FindFiles(tt.name)
		said := ""
		if err != nil {
			said = err.Error()
		}
		if diff := cmp.Diff([]string{tt.want, tt.err}, []string{strings.Join(files, " "), said}); diff != "" || len(skipped) > 0 {
			t.Errorf("%s: skipped %v, -want +got\n%s", tt.why, skipped, diff)
		}
	}
}
