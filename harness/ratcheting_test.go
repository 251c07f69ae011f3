package harness_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
)

// ratcheting is a schema that accepts every update, and the errors that it drops.
type ratcheting struct {
	backend
	dropped field.ErrorList
	err     error
	asked   *int
}

func (r ratcheting) Capabilities() harness.Capabilities {
	return harness.Capabilities{WithoutRatcheting: func(context.Context, *harness.Input) (field.ErrorList, error) {
		*r.asked++
		return r.dropped, r.err
	}}
}

func TestRatcheting(t *testing.T) {
	size := field.Invalid(field.NewPath("size"), 2, "must be at least 3")
	accepts := backend{"declarative", func(context.Context, *harness.Input) (field.ErrorList, error) { return nil, nil }}
	for _, tc := range []struct {
		why     string
		c       harness.Case
		dropped field.ErrorList
		err     error
		want    harness.Verdict
		effect  harness.Effect
		asked   int
	}{
		{why: "the schema would report the same for a create", c: harness.Case{Object: widget("a", 2), Old: widget("a", 2)}, dropped: field.ErrorList{size}, want: harness.Ratcheting, effect: harness.Admits, asked: 1},
		{why: "the schema never reports it", c: harness.Case{Object: widget("a", 2), Old: widget("a", 2)}, want: harness.Different, effect: harness.Admits, asked: 1},
		{why: "a create ratchets nothing", c: harness.Case{Object: widget("a", 2)}, dropped: field.ErrorList{size}, want: harness.Different, effect: harness.Admits},
		{why: "nothing is to be explained", c: harness.Case{Object: widget("a", 3), Old: widget("a", 2)}, want: harness.Equal, effect: harness.NoEffect},
		{why: "a schema that cannot tell is a fault", c: harness.Case{Object: widget("a", 2), Old: widget("a", 2)}, err: errors.New("no"), want: harness.Faulted, asked: 1},
	} {
		t.Run(tc.why, func(t *testing.T) {
			asked := 0
			results, err := newHarness(t, atLeast("native", 3), ratcheting{accepts, tc.dropped, tc.err, &asked}).Check(t.Context(), tc.c)
			if err != nil {
				t.Fatal(err)
			}
			if got := results[0]; got.Verdict != tc.want || got.Effect != tc.effect || asked != tc.asked {
				t.Errorf("verdict %s, effect %q, asked %d times; want %s, %q, %d", got.Verdict, got.Effect, asked, tc.want, tc.effect, tc.asked)
			}
		})
	}
}

// Compare of a part recognizes ratcheting below the path of the test, and fails no test because of it.
func TestRatchetingBelowAPath(t *testing.T) {
	asked := 0
	at := field.NewPath("items").Index(0)
	accepts := backend{"declarative", func(context.Context, *harness.Input) (field.ErrorList, error) { return nil, nil }}
	schema := ratcheting{accepts, field.ErrorList{field.Invalid(field.NewPath("size"), 2, "must be at least 3")}, nil, &asked}
	told := &recorder{TB: t}
	newHarness(t, atLeast("native", 3), schema).Compare(told, harness.Case{Object: widget("a", 2), Old: widget("a", 2), Path: at},
		field.ErrorList{field.Invalid(at.Child("size"), 2, "must be at least 3")})
	if told.failed || asked != 1 {
		t.Errorf("asked %d times; told:\n%s", asked, strings.Join(told.lines, "\n"))
	}
}

func TestSummaryOfRatcheting(t *testing.T) {
	var summary harness.Summary
	summary.Add(harness.Result{Case: &harness.Case{}, Verdict: harness.Ratcheting, Effect: harness.Admits, Pairs: []equivalence.Pair{{Native: field.Required(nil, ""), Class: equivalence.Ratcheting}}})
	if summary.Verdicts[harness.Ratcheting] != 1 || summary.Classes[equivalence.Ratcheting] != 1 || summary.OpenEffects[harness.Admits] != 0 {
		t.Errorf("got %+v, want one input that is explained, and one error of the class", summary)
	}
}

// An update that both sides refuse on a create is accepted because of ratcheting, whatever else native reports.
// Mistakes that native does not report explain nothing.
func TestOpenEffectOfRatcheting(t *testing.T) {
	size := field.Invalid(field.NewPath("size"), 2, "must be at least 3")
	color := field.Invalid(field.NewPath("color"), "x", "must be red")
	twice := backend{"native", func(_ context.Context, in *harness.Input) (field.ErrorList, error) {
		return field.ErrorList{size, color}, nil
	}}
	accepts := backend{"declarative", func(context.Context, *harness.Input) (field.ErrorList, error) { return nil, nil }}
	for _, tc := range []struct {
		why        string
		dropped    field.ErrorList
		open       harness.Effect
		effectOf   string // the classes of the pairs with their effects
		isForgiven bool
	}{
		{"the schema drops one error that native reports, and never had the other", field.ErrorList{size}, harness.NoEffect, "too-loose none, ratcheting admits", true},
		{"the schema drops an error like one of native, at another field", field.ErrorList{field.Invalid(field.NewPath("spec", "size"), 2, "must be at least 3")}, harness.NoEffect, "too-loose none, too-loose none", true},
		{"the schema drops an error that native does not report: the two missing ones decide", field.ErrorList{field.Forbidden(field.NewPath("weight"), "no")}, harness.Admits, "too-loose admits, too-loose admits", false},
		{"the schema drops nothing", nil, harness.Admits, "too-loose admits, too-loose admits", false},
	} {
		t.Run(tc.why, func(t *testing.T) {
			asked := 0
			results, err := newHarness(t, twice, ratcheting{accepts, tc.dropped, nil, &asked}).Check(t.Context(), harness.Case{Object: widget("a", 2), Old: widget("a", 2)})
			if err != nil {
				t.Fatal(err)
			}
			r := results[0]
			var effects []string
			for _, pair := range r.Pairs {
				effects = append(effects, string(pair.Class)+" "+string(r.EffectOf(pair)))
			}
			if got := strings.Join(effects, ", "); r.Effect != harness.Admits || r.OpenEffect() != tc.open || got != tc.effectOf || r.Ratcheted != tc.isForgiven {
				t.Errorf("effect %s, open %s, ratcheted %t, pairs: %s; want admits, %s, %t, %s", r.Effect, r.OpenEffect(), r.Ratcheted, got, tc.open, tc.isForgiven, tc.effectOf)
			}
		})
	}
}
