package source_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/internal/schema/source"
)

// versions writes a module with a package for each version, and reads them.
func versions(t *testing.T, group string, of map[string]string) ([]idl.Package, []idl.Marked) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/widgets\n\ngo 1.26.0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for version, fields := range of {
		text := fmt.Sprintf("%spackage %s\n\ntype WidgetSpec struct {\n%s}\n\ntype Widget struct {\n\tSpec []*WidgetSpec "+
			"`json:\"spec\"`\n}\n\n// +enum\ntype Unreached string\n", group, version, fields)
		if err := os.MkdirAll(filepath.Join(dir, version), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, version, "types.go"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	packages, err := idl.FindPackages(dir, []string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	var roots []idl.TypeName
	for _, p := range packages {
		roots = append(roots, idl.TypeName{Package: p.Path, Name: "Widget"})
	}
	marked, err := idl.MarkersOf(idl.Config{Dir: dir, Roots: roots})
	if err != nil {
		t.Fatal(err)
	}
	return packages, marked
}

func TestDifferences(t *testing.T) {
	const group = "// +groupName=example.com\n"
	for _, row := range []struct {
		why   string
		group string
		of    map[string]string
		want  []string
	}{
		{"a bound differs", group, map[string]string{
			"v1alpha1": "\t// +maximum=9\n\tSize int32 `json:\"size\"`\n", "v1": "\t// +maximum=5\n\tSize int32 `json:\"size\"`\n",
		}, []string{"v1/types.go:5: WidgetSpec.size: v1 has +maximum=5, and v1alpha1 has +maximum=9"}},
		{"a marker is missing in the older, or in the newer", group, map[string]string{
			"v1beta1": "\t// +minimum=1\n\tSize int32 `json:\"size\"`\n", "v1": "\t// +maximum=5\n\tSize int32 `json:\"size\"`\n",
		}, []string{
			"v1/types.go:5: WidgetSpec.size: v1 has +maximum=5, but v1beta1 has no such marker",
			"v1beta1/types.go:5: WidgetSpec.size: v1beta1 has +minimum=1, but v1 has no such marker",
		}},
		{"dialects with the same meaning are equal", group, map[string]string{
			"v1beta1": "\t// +kubebuilder:validation:Minimum=1\n\t// +kubebuilder:validation:Enum={\"B\",A}\n\tSize string " +
				"`json:\"size\"`\n",
			"v1": "\t// +k8s:minimum=1\n\t// +enum=A;B\n\tSize string `json:\"size\"`\n",
		}, nil},
		{"+optional adds nothing to omitempty, and required is not optional", group, map[string]string{
			"v1beta1": "\t// +optional\n\tA string `json:\"a,omitempty\"`\n\t// +optional\n\tB string `json:\"b\"`\n",
			"v1":      "\tA string `json:\"a,omitempty\"`\n\t// +required\n\tB string `json:\"b\"`\n",
		}, []string{"v1/types.go:6: WidgetSpec.b: v1 has +required, and v1beta1 has +optional"}},
		{"the tag and the markers together determine presence", group, map[string]string{
			"v1beta1": "\t// +kubebuilder:validation:MaxLength=3\n\tA string `json:\"a,omitempty\"`\n\tB string `json:\"b\"`\n\tC " +
				"string `json:\"c,omitempty\"`\n",
			"v1": "\t// +optional\n\t// +kubebuilder:validation:MaxLength=3\n\tA string `json:\"a\"`\n\t// +required\n\tB string " +
				"`json:\"b,omitempty\"`\n\tC string `json:\"c\"`\n",
		}, []string{"v1/types.go:10: WidgetSpec.c: v1 has no omitempty, and v1beta1 has omitempty"}},
		{"the newest version that has the field counts, and folders are versions without a group", "", map[string]string{
			"v1alpha1": "\t// +maximum=9\n\tOld int32 `json:\"old\"`\n", "v1beta1": "\t// +maximum=5\n\tOld int32 `json:\"old\"`\n",
			"v1": "\tNew int32 `json:\"new\"`\n",
		}, []string{"v1beta1/types.go:4: WidgetSpec.old: v1beta1 has +maximum=5, and v1alpha1 has +maximum=9"}},
		{"each of two rules is missing", group, map[string]string{
			"v1beta1": "\t// +validationRule=\"self > 1\"\n\tSize int32 `json:\"size\"`\n",
			"v1":      "\t// +validationRule=\"self > 2\"\n\tSize int32 `json:\"size\"`\n",
		}, []string{
			`v1/types.go:5: WidgetSpec.size: v1 has +validationRule="self > 2", but v1beta1 has no such marker`,
			`v1beta1/types.go:5: WidgetSpec.size: v1beta1 has +validationRule="self > 1", but v1 has no such marker`,
		}},
	} {
		t.Run(row.why, func(t *testing.T) {
			var got []string
			for _, each := range source.Differences(versions(t, row.group, row.of)) {
				file := filepath.Join(filepath.Base(filepath.Dir(each.File)), filepath.Base(each.File))
				got = append(got, fmt.Sprintf("%s:%d: %s: %s", file, each.Line, each.Place, each.What))
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
