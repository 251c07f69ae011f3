package pruning_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	upstream "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// TestValuesThatAreNoResources compares pruning with the API server's for schemas that are not those of a
// resource's root.
func TestValuesThatAreNoResources(t *testing.T) {
	for _, tt := range []struct{ why, schema, object string }{
		{"type and metadata at the top go without a word", `{type: object, properties: {a: {type: object}}}`,
			`{apiVersion: v1, kind: A, metadata: {name: x}, b: 1}`},
		{"below the top they are unknown like others", `{type: object, properties: {a: {type: object}}}`,
			`{a: {apiVersion: v1, kind: A, metadata: {name: x}}}`},
		{"declared ones stay", `{type: object, properties: {kind: {type: string}, metadata: {type: object}}}`,
			`{apiVersion: v1, kind: A, metadata: {name: x}}`},
		{"embedded resources keep theirs", `{type: object, properties: {a: {type: object, x-kubernetes-embedded-resource: true}}}`,
			`{a: {apiVersion: v1, kind: A, metadata: {name: x}, b: 1}}`},
	} {
		p := served.Props(t, tt.schema)
		obj := served.Object(t, tt.object)
		want := runtime.DeepCopyJSON(obj)
		dropped := upstream.PruneWithOptions(want, served.Structural(t, p), false,
			structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
		slices.Sort(dropped)
		got := compileProps(t, p, pruning.Options{Metadata: pruning.LeaveMetadata}).Prune(obj)
		if diff := cmp.Diff(want, got.Object); diff != "" {
			t.Errorf("%s (-API server +ours):\n%s", tt.why, diff)
		}
		if !slices.Equal(dropped, got.Dropped) {
			t.Errorf("%s: dropped %q, the API server %q", tt.why, got.Dropped, dropped)
		}
	}
}
