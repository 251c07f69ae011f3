package declarative_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/fastpath"
)

// TestFastPaths: without a fast path, data and Go objects have the same errors.
func TestFastPaths(t *testing.T) {
	opts := declarative.Options{Semantics: declarative.CustomResources, Estimation: declarative.EstimationOff}
	create := func(c referenceCase) []string {
		opts.Root = c.root
		return lines(declared(t, c.schema, opts, object(t, c.object), object(t, c.old)))
	}
	update := func() []string {
		old, next := pod(nothing), pod(func(p *corev1.Pod) { p.Spec.Containers[0].Image, p.Name = "", "A_b" })
		return lines(native(t, "Pod").Validate(context.Background(), seen(t, next), seen(t, old)))
	}
	for path := range fastpath.Paths {
		for _, c := range referenceCases() {
			want := create(c)
			fastpath.Without(path, func() {
				if d := cmp.Diff(want, create(c)); d != "" {
					t.Errorf("path %d, %s (-with +without):\n%s", path, c.name, d)
				}
			})
		}
		want := update()
		fastpath.Without(path, func() {
			if d := cmp.Diff(want, update()); d != "" || len(want) == 0 {
				t.Errorf("path %d, a typed object (-with +without):\n%s", path, d)
			}
		})
	}
}
