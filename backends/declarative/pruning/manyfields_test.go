package pruning_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	upstream "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// broad is a schema with more fields than are looked up one by one.
func broad(t *testing.T) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	var fields func(depth int) string
	fields = func(depth int) string {
		var b strings.Builder
		b.WriteString("{type: object, properties: {")
		for i := range 40 {
			if depth > 0 && i%2 == 0 {
				fmt.Fprintf(&b, "f%02d: {type: array, items: %s}, ", i, fields(depth-1))
			} else {
				fmt.Fprintf(&b, "f%02d: {type: string}, ", i)
			}
		}
		return b.String() + "}}"
	}
	return served.Props(t, fields(1))
}

// habit makes objects that usually set a few neighbouring fields, and sometimes an unknown one.
func habit(src *rand.Rand, first, depth int) map[string]any {
	obj := map[string]any{}
	for range 2 + src.IntN(6) {
		i := (first + src.IntN(6)) % 40
		name := fmt.Sprintf("f%02d", i)
		if depth == 0 || i%2 != 0 {
			obj[name] = "text"
			continue
		}
		var items []any
		for range src.IntN(4) {
			items = append(items, habit(src, first+i%3, depth-1))
		}
		obj[name] = items
	}
	if src.IntN(8) == 0 {
		obj["unknown"] = int64(1)
	}
	return obj
}

// TestWhatWasLearnedPrunesAlike prunes objects of one habit until the pruner has learned which fields to look
// up, then objects of other habits, and compares the results with the API server's. Several goroutines do so
// at once.
func TestWhatWasLearnedPrunesAlike(t *testing.T) {
	props := broad(t)
	structural, opts := served.Structural(t, props), structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	for seed := range uint64(6) {
		pruner := compileProps(t, props, pruning.Options{})
		var all sync.WaitGroup
		for each := range uint64(4) {
			all.Go(func() {
				src := rand.New(rand.NewPCG(seed, each))
				changed := 0
				for i := range 300 {
					obj := habit(src, int(3*seed)+i/75*2, 1)
					before, want := runtime.DeepCopyJSON(obj), runtime.DeepCopyJSON(obj)
					dropped := upstream.PruneWithOptions(want, structural, false, opts)
					slices.Sort(dropped)
					got := pruner.Prune(obj)
					if diff := cmp.Diff(want, got.Object); diff != "" {
						t.Errorf("seed %d, %v (-API server +ours):\n%s", seed, before, diff)
					}
					if !slices.Equal(dropped, got.Dropped) {
						t.Errorf("seed %d, %v: dropped %q, the API server %q", seed, before, got.Dropped, dropped)
					}
					if diff := cmp.Diff(before, obj); diff != "" {
						t.Errorf("seed %d: the object itself changed:\n%s", seed, diff)
					}
					if len(dropped) > 0 {
						changed++
					}
				}
				if changed == 0 {
					t.Errorf("seed %d: nothing was ever dropped", seed)
				}
			})
		}
		all.Wait()
	}
}
