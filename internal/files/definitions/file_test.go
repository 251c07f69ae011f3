package definitions_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/files/definitions"
)

func TestFindFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	const definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
	for _, directory := range []string{"crds", "others"} {
		if err := os.Mkdir(directory, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"crds/b.yaml":        definition,
		"crds/a.yaml":        "a: 1\n---\n" + definition,
		"crds/values.yaml":   "a: 1\n",
		"others/values.yaml": "a: 1\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ why, names, want, err string }{
		{"only files with a definition are taken from a directory", "crds", "crds/a.yaml crds/b.yaml", ""},
		{"a named file is always taken: reading it reports what is wrong", "others/values.yaml gone.yaml", "others/values.yaml gone.yaml",
			""},
		{"a directory without any", "crds others", "crds/a.yaml crds/b.yaml", "others: no file in or below this directory has " +
			"a CustomResourceDefinition"},
	} {
		files, skipped, err := definitions.FindFiles(strings.Fields(tt.names))
		said := ""
		if err != nil {
			said = err.Error()
		}
		if diff := cmp.Diff([]string{tt.want, tt.err}, []string{strings.Join(files, " "), said}); diff != "" || len(skipped) > 0 {
			t.Errorf("%s: skipped %v, -want +got\n%s", tt.why, skipped, diff)
		}
	}
}

// Other commands accept FILE@VERSION; the message says so.
func TestReadFileWithVersion(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("crd.yaml", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	const want = "crd.yaml@v1: cannot be read: no such file or directory; expected a file name without a version: crd.yaml"
	if _, err := definitions.ReadFile("crd.yaml@v1"); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
