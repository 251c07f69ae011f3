package render_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/internal/files/kustomization/render"
)

// TestQuiet: deprecated fields work, and kustomize does not warn about them.
func TestQuiet(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"base/kustomization.yaml": "resources: [a.yaml]\n",
		"base/a.yaml":             "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
		"top/kustomization.yaml":  "bases: [../base]\ncommonLabels: {of: b}\n",
	} {
		at := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	said, err := os.Create(filepath.Join(root, "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	defer func(before *os.File) { os.Stderr = before }(os.Stderr)
	os.Stderr = said
	made, err := render.Folder(filepath.Join(root, "top"))
	if err != nil || !strings.Contains(string(made), "of: b") {
		t.Errorf("%v\n%s", err, made)
	}
	if text, err := os.ReadFile(said.Name()); err != nil || len(text) > 0 || os.Stderr != said {
		t.Errorf("%v, on stderr: %s", err, text)
	}
}
