package equivalence_test

import (
	"testing"

	"github.com/diffrun/diffrun/equivalence"
)

func TestBuiltinRulesLoad(t *testing.T) {
	rules, err := equivalence.BuiltinRules()
	if err != nil {
		t.Fatal(err)
	}
	if len(rules.All()) < 30 {
		t.Errorf("%d rules", len(rules.All()))
	}
}
