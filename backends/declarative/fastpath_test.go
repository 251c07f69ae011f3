package declarative_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/fastpath"
)

// TestFastPaths: without a fast path, data and Go objects have the same errors.
func TestFastPaths(t *testing.T) {
	opts := declarative.Options{Semantics: declarative.CustomResources, Estimation: declarative.EstimationOff}
	all := differentialCases()
	for _, c := range keywordCases() {
		for _, value := range append(c.right[:min(1, len(c.right))], c.invalid...) {
			all = append(all, c.differential(value))
		}
	}
	data := func(c differentialCase) []string {
		opts.Root = c.root
		return lines(declared(t, c.schema, opts, object(t, c.object), object(t, c.old)))
	}
	update := func() []string {
		old, next := pod(nothing), pod(func(p *corev1.Pod) { p.Spec.Containers[0].Image, p.Name = "", "A_b" })
		return lines(pods(t).Validate(t.Context(), goValue(t, next), goValue(t, old)))
	}
	want := map[string][]string{}
	for _, c := range all {
		want[c.name] = data(c)
	}
	for path := range fastpath.Paths {
		for _, c := range all {
			fastpath.Without(path, func() {
				if d := cmp.Diff(want[c.name], data(c)); d != "" {
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
