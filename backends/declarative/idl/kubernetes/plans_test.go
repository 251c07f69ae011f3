package kubernetes_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/idl/kubernetes"
)

// TestRulesHavePlans: what runs on cel-go takes thirty times as long. No rule of the kinds
// that make bench measures has to, and few of the others have: those that look into an
// oldSelf that is an optional, write maps, or compare semantic versions.
func TestRulesHavePlans(t *testing.T) {
	const most = 13 // have none
	library := kubernetes.NewLibrary()
	planned, left := map[string]bool{}, map[string]bool{}
	for _, gvk := range kubernetes.Kinds() {
		root, definitions, err := library.Schema(gvk)
		if err != nil {
			t.Fatal(err)
		}
		reports, err := declarative.Rules(root, declarative.Options{Definitions: definitions, Root: true, Estimation: declarative.EstimationOff})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range reports {
			if r.Planned {
				planned[r.Rule] = true
				continue
			}
			left[r.Rule] = true
			if gvk.Kind == "Pod" || gvk.Kind == "Deployment" {
				t.Errorf("%s %s has no plan: %s", gvk.Kind, r.At, r.Rule)
			}
		}
	}
	if t.Logf("%d rules have a plan, %d have none", len(planned), len(left)); len(left) > most {
		t.Errorf("%d rules have no plan, wanted at most %d: %q", len(left), most, slices.Sorted(maps.Keys(left)))
	}
}
