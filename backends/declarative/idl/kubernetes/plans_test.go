package kubernetes

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/backends/declarative"
)

// TestRulesHavePlans: what runs on cel-go takes fifty times as long. The few rules of
// Kubernetes' kinds that do are named here.
func TestRulesHavePlans(t *testing.T) {
	known := []string{ // beginnings of rules
		"self.spec.?manualSelector.orValue(false) ||",                   // fields of an optional oldSelf that are maps
	}
	library := NewLibrary()
	found, rules := map[string]bool{}, map[string]bool{}
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
			rules[r.Rule] = true
			if !r.Planned && !found[r.Rule] {
				found[r.Rule] = true
				if !slices.ContainsFunc(known, func(begin string) bool { return strings.HasPrefix(r.Rule, begin) }) {
					t.Errorf("%s %s has no plan: %s", gvk.Kind, r.At, r.Rule)
				}
			}
		}
	}
	for _, begin := range known {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(found)), func(rule string) bool { return strings.HasPrefix(rule, begin) }) {
			t.Errorf("has a plan, or is no more: %s", begin)
		}
	}
	t.Logf("%d of %d rules have a plan", len(rules)-len(found), len(rules))
}
