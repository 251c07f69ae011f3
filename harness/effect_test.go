package harness_test

import (
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// effectCase is the answers of two validators about one object, and the effect for its user.
type effectCase struct {
	why                 string
	native, declarative backend
	options             harness.Options
	effect              words.Effect
	verdict             words.Verdict
	pairs               int
}

func TestEffect(t *testing.T) {
	size := field.Invalid(field.NewPath("size"), 1, "must be odd")
	other := field.Forbidden(field.NewPath("weight"), "not with size 1")
	covered := func(err *field.Error) *field.Error { other := *err; return other.MarkCoveredByDeclarative() }
	broken := field.InternalError(nil, errors.New("gone"))
	list := func(errs ...*field.Error) field.ErrorList { return errs }
	verdicts := harness.Options{Compare: words.CompareVerdict}
	for name, tc := range map[string]effectCase{
		"both accept":    {"nothing changes", says(nil), says(nil), harness.Options{}, words.NoEffect, words.Equal, 0},
		"the same words": {"nothing changes", says(list(size)), says(list(size)), harness.Options{}, words.NoEffect, words.Equal, 1},
		"other words":    {"both refuse", says(list(size)), says(list(other)), harness.Options{}, words.NoEffect, words.Different, 2},
		"one error is missing": {"too loose for an error, but rejected anyway", says(list(size, other)), says(list(other)),
			harness.Options{}, words.NoEffect, words.Different, 2},
		"admits":  {"only the native validator refuses", says(list(size)), says(nil), harness.Options{}, words.Admits, words.Different, 1},
		"refuses": {"only the schema refuses", says(nil), says(list(size)), harness.Options{}, words.Refuses, words.Different, 1},
		"accepted by an exception": {"an exception accepts the difference; users notice it nevertheless",
			says(list(size)), says(nil), harness.Options{Exceptions: accepting(t, "too-loose", "size")}, words.Admits, words.Excepted, 1},
		"a fault": {"a fault is no verdict", says(list(broken)), says(list(size)), harness.Options{}, "", words.Faulted, 0},
		"inconsistent": {"sometimes accepted and sometimes rejected", says(list(size), nil), says(nil),
			harness.Options{Repeat: 2}, "", words.Unstable, 1},
		"refuses always": {"a different error each time, but it is always rejected", says(list(size), list(other)),
			says(list(size)), harness.Options{Repeat: 2}, words.NoEffect, words.Unstable, 2},
		"against itself": {"a validator that contradicts itself has no effect", says(list(size), nil), says(nil),
			harness.Options{Self: contract.NativeName}, "", words.Unstable, 1},
		"covered": {"the schema has taken over an error that it does not report", says(list(covered(size))),
			says(nil), harness.Options{Compare: words.CompareCovered}, words.Admits, words.Different, 1},
		"not covered": {"hand-written code goes on refusing", says(list(size)), says(nil),
			harness.Options{Compare: words.CompareCovered}, words.NoEffect, words.Equal, 0},
		"verdict: agree": {"both accept", says(nil), says(nil), verdicts, words.NoEffect, words.Equal, 0},
		"verdict: refuse": {"the errors of two rejections are not compared", says(list(size)), says(list(other)), verdicts,
			words.NoEffect, words.Equal, 0},
		"verdict: admits": {"each error of the only rejection is a difference", says(list(size, other)), says(nil), verdicts,
			words.Admits, words.Different, 2},
		"verdict: refuses": {"the other way round", says(nil), says(list(size)), verdicts, words.Refuses, words.Different, 1},
		"verdict: excepted": {"exceptions accept a verdict that changes", says(list(size)), says(nil),
			harness.Options{Compare: words.CompareVerdict, Exceptions: accepting(t, "too-loose", "size")}, words.Admits, words.Excepted, 1},
		"verdict: inconsistent": {"a validator that contradicts itself is compared as a whole", says(list(size), nil), says(list(size)),
			harness.Options{Compare: words.CompareVerdict, Repeat: 2}, "", words.Unstable, 1},
	} {
		t.Run(name, func(t *testing.T) { tc.check(t) })
	}
}

func (tc effectCase) check(t *testing.T) {
	h, err := harness.New(&harness.Target{
		Kind: widgetV1.GroupKind(), Scheme: harness.Documents{},
		Versions: []harness.Version{{GroupVersionKind: widgetV1, Native: tc.native, Declarative: tc.declarative}},
	}, tc.options)
	if err != nil {
		t.Fatal(err)
	}
	results, err := h.Check(t.Context(), harness.Case{Object: widget("a", 1)})
	if err != nil {
		t.Fatal(err)
	}
	if got := results[0]; got.Effect != tc.effect || got.Verdict != tc.verdict || len(got.Pairs) != tc.pairs {
		t.Errorf("%s: effect %q, verdict %s, %d pairs; want %q, %s, %d", tc.why, got.Effect, got.Verdict, len(got.Pairs),
			tc.effect, tc.verdict, tc.pairs)
	}
}

// The summary counts the effect of every decided input, and separately the unexplained effects.
func TestSummaryOfEffects(t *testing.T) {
	var summary harness.Summary
	accepted := []equivalence.Pair{{Native: field.Required(nil, ""), Class: difference.TooLoose, Exception: &equivalence.Exception{}}}
	for _, r := range []harness.Result{
		{Verdict: words.Equal, Effect: words.NoEffect},
		{Verdict: words.Different, Effect: words.NoEffect},
		{Verdict: words.Different, Effect: words.Admits},
		{Verdict: words.Excepted, Effect: words.Admits, Pairs: accepted},
		{Verdict: words.Unstable, Effect: words.Refuses},
		{Verdict: words.Faulted},
		{Verdict: words.Inexpressible},
	} {
		r.Case = &harness.Case{}
		summary.Add(r)
	}
	for effect, want := range map[words.Effect][2]int{words.NoEffect: {2, 1}, words.Admits: {2, 1}, words.Refuses: {1, 1}, "": {0, 0}} {
		if got := [2]int{summary.Effects[effect], summary.OpenEffects[effect]}; got != want {
			t.Errorf("effect %q: %v, want %v", effect, got, want)
		}
	}
}
