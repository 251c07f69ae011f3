package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// wanted is how many validations the overlays have to declare, at least.
const wanted = 150

// TestSchemasAreFresh makes the schemas from the overlays as they are now and
// compares them with the files. Generate fails on an overlay's line that no
// schema shows, so an equal result also holds that every entry landed.
func TestSchemasAreFresh(t *testing.T) {
	result, err := generate("..")
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := render(result.Definitions)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../schemas/*.json")
	if err != nil {
		t.Fatal(err)
	}
	stored := map[string][]byte{}
	for _, file := range files {
		if stored[filepath.Base(file)], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(text(stored), text(fresh)); diff != "" {
		t.Errorf("the schemas are stale; run go generate ./backends/declarative/idl/... (-stored +fresh):\n%s", diff)
	}
	if got := len(result.Declared); got < wanted {
		t.Errorf("the overlays declare %d validations, want at least %d", got, wanted)
	}
}

func text(files map[string][]byte) map[string]string {
	all := map[string]string{}
	for name, data := range files {
		all[name] = string(data)
	}
	return all
}
