package infer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/diffrun/diffrun/internal/infer/proposal"
)

// TestMarkersOfEnums: controller-tools reads the values of an enum as they are in the schema.
func TestMarkersOfEnums(t *testing.T) {
	read, err := markers.MakeDefinition("kubebuilder:validation:Enum", markers.DescribesField, crdmarkers.Enum(nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range [][]any{
		{"Auto", "Manual"}, {"", "acme", "other"}, {"acme", "a b", "x,y", "z;"}, {"true", "1", "1.5", "null"},
		{`say "no"`, "{a}", `back\slash`}, {int64(1), int64(2)}, {true},
	} {
		text := markersOf(&proposal.Rule{Place: "spec.mode", Keywords: map[string]any{"enum": words}})
		marker, _, _ := strings.Cut(text, "\n")
		got, err := read.Parse(marker)
		if err != nil {
			t.Errorf("%v: %s: %v", words, marker, err)
			continue
		}
		want := crdmarkers.Enum{}
		for _, word := range words {
			if n, is := word.(int64); is {
				word = int(n)
			}
			want = append(want, word)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-schema +marker):\n%s", marker, diff)
		}
	}
}
