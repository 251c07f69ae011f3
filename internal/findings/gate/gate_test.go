package gate_test

import (
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/gate"
)

// The exit status uses the counts of a run, and reports use its results: both agree for each gate.
func TestGateOfCountsIsGateOfResults(t *testing.T) {
	err := field.Invalid(field.NewPath("a"), 1, "x")
	open := func(class difference.Class) equivalence.Pair {
		return equivalence.Pair{Native: err, Declarative: err, Class: class}
	}
	accepted := open(difference.TooLoose)
	accepted.Exception = &equivalence.Exception{ID: "a"}
	results := map[string]harness.Result{
		"equal":    {Verdict: words.Equal, Effect: words.NoEffect},
		"accepted": {Verdict: words.Excepted, Effect: words.Admits, Pairs: []equivalence.Pair{accepted}},
		"unmet":    {Verdict: words.Equal, Effect: words.NoEffect, Unmet: []string{"b"}},
		"default of an object that is admitted by exception": {Verdict: words.Different, Effect: words.Admits,
			Pairs: []equivalence.Pair{accepted, open(difference.Default)}},
		"an old mistake that is reported twice": {
			Verdict: words.Different, Effect: words.Admits, Ratcheted: true, Pairs: []equivalence.Pair{
				open(difference.Ratcheting),
				open(difference.Count),
			},
		},
	}
	for _, class := range difference.Classes() {
		for _, effect := range append(words.Effects(), "") {
			verdict := words.Different
			switch class {
			case difference.Unstable:
				verdict = words.Unstable
			case difference.Ratcheting:
				verdict = words.Ratcheting
			}
			results[string(class)+" "+string(effect)] = harness.Result{Verdict: verdict, Effect: effect,
				Pairs: []equivalence.Pair{open(class)}}
		}
	}
	gates := []gate.Gate{nil}
	for _, word := range gate.Words() {
		gates = append(gates, gate.Gate{word}, gate.Gate{word, string(difference.Ratcheting)})
	}
	failed := map[bool]int{}
	for name, result := range results {
		result.Case = &harness.Case{ID: name}
		for _, tested := range gates {
			var summary harness.Summary
			summary.Add(result)
			fails := tested.Fails(result)
			failed[fails]++
			if counted := tested.FailsOn(summary); counted != fails {
				t.Errorf("--fail-on %s: %s fails by its counts: %t, by itself: %t", tested, name, counted, fails)
			}
			allowed := len(result.Unmet) == 0 || tested.AllowsUnmet()
			for _, pair := range result.Pairs {
				allowed = allowed && (!tested.Differs(pair) || tested.Allows(result, pair))
			}
			if allowed == fails {
				t.Errorf("--fail-on %s: %s fails: %t, and all that it has is allowed: %t", tested, name, fails, allowed)
			}
		}
	}
	if failed[true] == 0 || failed[false] == 0 {
		t.Errorf("results that fail: %d, that do not: %d", failed[true], failed[false])
	}
}

// A gate of refusals also fails on those that leave an object stuck, and not the other way round.
func TestGateOfStuckObjects(t *testing.T) {
	for _, row := range []struct {
		gate   gate.Gate
		effect words.Effect
		fails  bool
	}{
		{gate.Gate{"stuck"}, words.Stuck, true},
		{gate.Gate{"refuses"}, words.Stuck, true},
		{gate.Gate{"stuck"}, words.Refuses, false},
		{gate.Gate{"admits"}, words.Stuck, false},
	} {
		if fails := row.gate.Fails(harness.Result{Case: &harness.Case{}, Verdict: words.Different,
			Effect: row.effect}); fails != row.fails {
			t.Errorf("--fail-on %s and effect %s: fails %t, want %t", row.gate, row.effect, fails, row.fails)
		}
	}
}

func TestGateFailsOnFaults(t *testing.T) {
	for _, tested := range []gate.Gate{nil, {"refuses"}, {"problem"}} {
		if !tested.Fails(harness.Result{Case: &harness.Case{}, Verdict: words.Faulted, Fault: &contract.Fault{Err: errors.New("hangs")}}) {
			t.Errorf("--fail-on %s lets a fault pass", tested)
		}
	}
}
