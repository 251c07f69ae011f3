package declarative_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	upstream "github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/internal/generate"
	"github.com/diffrun/diffrun/internal/served"
)

// TestGrownObjects: for each real kind there are valid objects of the sizes that
// the benchmarks use. The declarative backend, which is fast, says on the way what
// is valid, and the reference agrees in the end.
func TestGrownObjects(t *testing.T) {
	for _, file := range served.Definitions(t) {
		crd := served.Definition(t, file)
		version := &crd.Spec.Versions[0]
		t.Run(crd.Name, func(t *testing.T) {
			t.Parallel()
			props := version.Schema.OpenAPIV3Schema
			kind := schema.GroupVersionKind{Group: crd.Spec.Group, Version: version.Name, Kind: crd.Spec.Names.Kind}
			decl := compiledResource(t, crd, version)
			ref, err := upstream.CompileResource(crd, version.Name, upstream.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, size := range []int{1 << 10, 50 << 10} {
				obj, err := generate.Grow(generate.Seeded(*seed), props, generate.Growth{
					Bytes: size,
					Valid: func(obj map[string]any) bool {
						return len(decl.Validate(t.Context(), obj, nil)) == 0
					},
					Object: generate.ObjectOptions{APIVersion: kind.GroupVersion().String(), Kind: kind.Kind},
				})
				if err != nil {
					t.Errorf("%d bytes: %v", size, err)
					continue
				}
				if errs := ref.Validate(t.Context(), obj, nil); len(errs) > 0 {
					t.Errorf("%d bytes: the reference does not find it valid: %v", size, errs.ToAggregate())
				}
			}
		})
	}
}
