package infer

import (
	"context"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/explore"
	inputs "github.com/diffrun/diffrun/internal/findings/asking"
	"github.com/diffrun/diffrun/internal/gomodule/readings"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/proposal"
	"github.com/diffrun/diffrun/internal/infer/testdata/grown"
	"github.com/diffrun/diffrun/internal/testing/slowtest"
)

// freshInputs is how many inputs a proposal is compared on that it was not made from.
const freshInputs = 100_000

// TestFreshInputs: no rule of a proposal refuses a create or an update that the validator accepts.
func TestFreshInputs(t *testing.T) {
	slowtest.Skip(t)
	const text = ": {type: string, maxLength: 12}\n"
	crd := definition("name" + text + "stage" + text + "address" + text + "size: {type: integer, format: int32}\nitems: {type: array, " +
		"maxItems: 9, items: {type: object, properties: {name: {type: string, maxLength: 9}, count: {type: integer, format: int32}}}}")
	validate := func(s, old spec) field.ErrorList {
		thing, before := &grown.Thing{}, &grown.Thing{}
		if !decodes(s, thing) || !decodes(old, before) {
			return nil
		}
		if old == nil {
			return grown.ValidateCreate(thing)
		}
		return grown.ValidateUpdate(thing, before)
	}
	starts := []spec{
		{"name": "a", "stage": "b", "address": "a.b", "size": int64(1), "items": []any{map[string]any{"name": "a", "count": int64(1)}}},
		{"name": "c", "stage": "d", "address": "c.d", "size": int64(2)},
		{"name": "aa", "stage": "bb", "address": "aa.bb"}, {"name": "g", "stage": "b", "address": "g.b"},
	}
	target := targetOf(t, crd, validate, starts...)
	loaded, err := readings.Load(t.Context(), ".", "./testdata/grown")
	if err != nil {
		t.Fatal(err)
	}
	target.Readings, _ = loaded.Of("Thing")
	report, err := Run(t.Context(), target, evidence.Options{Seed: 1, Parallel: 1, Inputs: 600})
	if err != nil {
		t.Fatal(err)
	}
	if proven := report.Count(proposal.Proven); proven != 6 {
		t.Fatalf("%d sites are proven, want 6:\n%s", proven, report.Text())
	}
	proposed, today := targetOf(t, string(report.data), validate, starts...), targetOf(t, crd, validate, starts...)
	creates, updates, accepted := 0, 0, 0
	for seed := uint64(1_000); creates+updates < freshInputs; seed++ {
		before := creates + updates
		explorer := explorerOf(t, proposed, seed, func(in explore.Input, results []harness.Result) {
			if in.IsUpdate() {
				updates++
			} else {
				creates++
			}
			for _, r := range results {
				if len(r.Native.Errors) == 0 {
					accepted++
				}
				if r.Effect == words.Refuses && !refuses(t, today, in) {
					t.Errorf("seed %d: %v refuses what the validator accepts: %v, before %v", seed, r.Declarative.Errors, in.Object, in.Old)
				}
			}
		})
		for creates+updates < freshInputs && !explorer.Done(500) && !t.Failed() {
			if err := explorer.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if t.Failed() || creates+updates == before {
			t.Fatalf("seed %d: stopped after %d creates and %d updates", seed, creates, updates)
		}
	}
	t.Logf("seeds from 1000: %d creates and %d updates, %d of them accepted", creates, updates, accepted)
	if accepted == 0 {
		t.Error("the validator accepted no input")
	}
}

// decodes reports whether a thing can have a spec.
func decodes(s spec, into *grown.Thing) bool {
	return runtime.DefaultUnstructuredConverter.FromUnstructured(map[string]any{"spec": map[string]any(s)}, into) == nil
}

// refuses reports whether the definition of a target refuses an input that the validator accepts, or had never stored its old object.
func refuses(t *testing.T, of *evidence.Target, in explore.Input) bool {
	t.Helper()
	check := func(in explore.Input) []harness.Result {
		results, err := of.Harness.Check(t.Context(), inputs.Case(of.Like, in))
		if err != nil {
			t.Fatal(err)
		}
		return results
	}
	if in.IsUpdate() && slices.ContainsFunc(check(explore.Input{Object: in.Old}), func(r harness.Result) bool {
		return len(r.Declarative.Errors) > 0
	}) {
		return true
	}
	return slices.ContainsFunc(check(in), func(r harness.Result) bool { return r.Effect == words.Refuses })
}

// explorerOf returns an exploration of a target that shows each input.
func explorerOf(t *testing.T, of *evidence.Target, seed uint64, observe func(explore.Input, []harness.Result)) *explore.Explorer {
	t.Helper()
	ask, err := inputs.Of(of.Harness, of.Like, nil)
	if err != nil {
		t.Fatal(err)
	}
	return explore.New(explore.Options{
		Seed: seed, Parallel: 1, Schema: of.Props, Object: of.Object, Starts: of.Starts,
		Ask: func(ctx context.Context, in explore.Input) (explore.Answer, error) {
			answer, err := ask(ctx, in)
			answer.Findings = nil // nothing is made small
			return answer, err
		},
		Observe: func(in explore.Input, answer explore.Answer) error {
			results, _ := answer.Detail.([]harness.Result)
			observe(in, results)
			return nil
		},
		Found: func(explore.Found) error { return nil },
	})
}
