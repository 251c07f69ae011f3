package kubernetes_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/kubernetes"
	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/internal/apiname"
)

// TestDeclared: a rule has the line of the overlay that declares it; a field has that of the Go type.
func TestDeclared(t *testing.T) {
	job := schema.GroupVersionKind{Group: "batch", Version: "v1", Kind: "Job"}
	for _, row := range []struct{ why, place, file, line string }{
		{"a rule", "properties[spec].x-kubernetes-validations[0]", "overlays/", "validationRule="},
		{"a rule of a definition", "definitions[io.k8s.api.core.v1.PodSpec].x-kubernetes-validations[0]", "overlays/", ""},
		{"a field", "properties[spec]", "k8s.io/api/batch/v1/types.go", ""},
		{"keywords without a marker", "properties[status].type", "k8s.io/api/batch/v1/types.go", ""},
		{"the kind", "", "k8s.io/api/batch/v1/types.go", ""},
	} {
		at := kubernetes.Declared(job, row.place)
		if !strings.HasPrefix(at.File, row.file) || at.Line == 0 {
			t.Errorf("%s: %s comes from %s", row.why, row.place, at)
			continue
		}
		if row.file != "overlays/" {
			continue
		}
		text, err := os.ReadFile(at.File)
		if err != nil {
			t.Fatal(err)
		}
		if line := strings.Join(strings.Split(string(text), "\n")[at.Line-1:][:2], "\n"); !strings.Contains(line, row.line) {
			t.Errorf("%s: %s comes from %s: %q", row.why, row.place, at, line)
		}
	}
	if at := kubernetes.Declared(schema.GroupVersionKind{Version: "v1", Kind: "Nothing"}, ""); at.Line != 0 {
		t.Errorf("a kind that is not there comes from %s", at)
	}
}

// TestDeclaredEverywhere: every schema compiles, every keyword and rule of every kind has a line, and every
// rule has the line of an overlay, or of a tag in a package whose tags are read. The generator does not run
// the compiler, so it does not notice a rule that parses but does not type-check.
func TestDeclaredEverywhere(t *testing.T) {
	backends := kubernetes.NewBackends()
	for _, kind := range kubernetes.Kinds() {
		coverage := &tally.Coverage{}
		if _, err := backends.Counting(kind, coverage); err != nil {
			lines := strings.Split(err.Error(), "\n")
			shown := min(len(lines), 10) // a mistake in a shared type shows in every kind
			t.Errorf("%s: %s\n… %d lines more", apiname.Target(kind), strings.Join(lines[:shown], "\n"), len(lines)-shown)
			continue
		}
		for _, place := range coverage.Places() {
			for _, declared := range place.Declared {
				at := kubernetes.Declared(kind, declared)
				declares := strings.HasPrefix(at.File, "overlays/") ||
					slices.ContainsFunc(kubernetes.PackagesWithTags(), func(folder string) bool {
						return strings.HasPrefix(at.File, folder+"/")
					})
				if at.Line == 0 || place.Keyword == "x-kubernetes-validations" && !declares {
					t.Errorf("%s: %s comes from %q", apiname.Target(kind), declared, at)
				}
			}
		}
	}
}
