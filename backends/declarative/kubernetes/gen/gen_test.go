package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/diffrun/diffrun/internal/testing/slowtest"
)

// wanted is the minimal number of validations that the overlays declare.
const wanted = 150

// TestSchemasAreFresh generates the schemas from the current overlays and compares them with the files.
// Generate fails on a line of an overlay that appears in no schema, so an equal result also means that every
// entry was applied.
func TestSchemasAreFresh(t *testing.T) {
	slowtest.Skip(t)
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
	for _, name := range slices.Sorted(maps.Keys(both(stored, fresh))) {
		if !bytes.Equal(stored[name], fresh[name]) {
			t.Errorf("schemas/%s is stale from line %d on; run go generate ./backends/declarative/idl/...", name,
				firstDifference(stored[name], fresh[name]))
		}
	}
	origins, err := renderOrigins(result.Origins, result.overlays)
	if err != nil {
		t.Fatal(err)
	}
	if known, err := os.ReadFile("../origins.json"); err != nil || !bytes.Equal(known, origins) {
		t.Errorf("origins.json is stale from line %d on; run go generate ./backends/declarative/idl/... (%v)",
			firstDifference(known, origins), err)
	}
	for gate, changed := range result.gates {
		fresh, err := renderFile(changed)
		if err != nil {
			t.Fatal(err)
		}
		if known, err := os.ReadFile(filepath.Join("..", "gates", gate+".json")); err != nil || !bytes.Equal(known, fresh) {
			t.Errorf("gates/%s.json is stale from line %d on; run go generate ./backends/declarative/idl/... (%v)", gate,
				firstDifference(known, fresh), err)
		}
	}
	if got := len(result.Declared); got < wanted {
		t.Errorf("the overlays declare %d validations, want at least %d", got, wanted)
	}
}

// TestTagsAreFresh generates the schemas of upstream's tags and compares them with the files.
func TestTagsAreFresh(t *testing.T) {
	slowtest.Skip(t)
	fresh, err := tagFiles("..")
	if err != nil {
		t.Fatal(err)
	}
	stored, err := storedTags("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(both(stored, fresh))) {
		if !bytes.Equal(stored[name], fresh[name]) {
			t.Errorf("tags/%s is stale from line %d on; run go generate ./backends/declarative/idl/...", name,
				firstDifference(stored[name], fresh[name]))
		}
	}
}

func both(a, b map[string][]byte) map[string][]byte {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// firstDifference returns one line; the whole difference can be thousands of lines.
func firstDifference(a, b []byte) int {
	left, right := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(left), len(right)) {
		if !bytes.Equal(left[i], right[i]) {
			return i + 1
		}
	}
	return min(len(left), len(right)) + 1
}
