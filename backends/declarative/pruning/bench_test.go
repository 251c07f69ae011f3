package pruning_test

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// BenchmarkPrune prunes objects that have nothing to prune. The goal is a quarter of
// a deep copy.
func BenchmarkPrune(b *testing.B) {
	served.Measure(b, func(b *testing.B, p *apiextensionsv1.JSONSchemaProps, obj map[string]any) (func(map[string]any), map[string]any) {
		pruner := compileProps(b, p, pruning.Options{Root: true})
		if r := pruner.Prune(obj); len(r.Dropped)+len(r.Errors) > 0 {
			b.Fatalf("the object has something to prune: %v %v", r.Dropped, r.Errors)
		}
		return func(obj map[string]any) { pruner.Prune(obj) }, obj
	})
}
