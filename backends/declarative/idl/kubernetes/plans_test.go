package kubernetes

import (
	"testing"

	"github.com/diffrun/diffrun/backends/declarative"
)

// TestRulesHavePlans: what runs on cel-go takes fifty times as long. No rule of Kubernetes'
// kinds has to.
func TestRulesHavePlans(t *testing.T) {
	library := NewLibrary()
	rules := map[string]bool{}
	for _, gvk := range Kinds() {
		root, definitions, err := library.Schema(gvk)
		if err != nil {
			t.Fatal(err)
		}
		reports, err := declarative.Rules(root, declarative.Options{Definitions: definitions, Root: true, Estimation: declarative.EstimationOff})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range reports {
			if !r.Planned && !rules[r.Rule] {
				t.Errorf("%s %s has no plan: %s", gvk.Kind, r.At, r.Rule)
			}
			rules[r.Rule] = true
		}
	}
	if t.Logf("%d rules have a plan", len(rules)); len(rules) < 500 {
		t.Error("there are fewer rules than there were")
	}
}
