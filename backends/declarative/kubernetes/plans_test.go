package kubernetes_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/kubernetes"
)

// TestRulesHavePlans: cel-go takes thirty times as long, and no rule needs it when it is true: conditions
// that plans do not support (an optional oldSelf, maps, semantic versions) come after the conditions that
// decide.
func TestRulesHavePlans(t *testing.T) {
	library := kubernetes.NewLibrary()
	planned, left := map[string]bool{}, map[string]bool{}
	for _, gvk := range kubernetes.Kinds() {
		root, definitions, err := library.Schema(gvk)
		if err != nil {
			t.Fatal(err)
		}
		reports, err := declarative.Rules(root, declarative.Options{Definitions: definitions, Root: true, WithoutEstimation: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range reports {
			if r.Planned {
				planned[r.Rule] = true
				continue
			}
			left[r.Rule] = true
		}
	}
	if t.Logf("%d rules have a plan, %d have none", len(planned), len(left)); len(left) > 0 {
		t.Errorf("%d rules have no plan: %q", len(left), slices.Sorted(maps.Keys(left)))
	}
}
