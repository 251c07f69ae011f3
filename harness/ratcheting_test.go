package harness_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// ratcheting is a schema that accepts every update, and the errors that it drops.
type ratcheting struct {
	backend
	dropped field.ErrorList
	err     error
	asked   *int
}

func (r ratcheting) Capabilities() contract.Capabilities {
	return contract.Capabilities{WithoutRatcheting: func(context.Context, *harness.Input) (field.ErrorList, error) {
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
		want    words.Verdict
		effect  words.Effect
		asked   int
	}{
		{why: "the schema would report the same for a create", c: harness.Case{Object: widget("a", 2), Old: widget("a", 2)},
			dropped: field.ErrorList{size}, want: words.Ratcheting, effect: words.Admits, asked: 1},
		{why: "the schema never reports it", c: harness.Case{Object: widget("a", 2), Old: widget("a", 2)}, want: words.Different,
			effect: words.Admits, asked: 1},
		{why: "a create ratchets nothing", c: harness.Case{Object: widget("a", 2)}, dropped: field.ErrorList{size},
			want: words.Different, effect: words.Admits},
		{why: "nothing is to be explained", c: harness.Case{Object: widget("a", 3), Old: widget("a", 2)}, want: words.Equal,
			effect: words.NoEffect},
		{why: "a schema that cannot tell is a fault", c: harness.Case{Object: widget("a", 2), Old: widget("a", 2)},
			err: errors.New("no"), want: words.Faulted, asked: 1},
	} {
		t.Run(tc.why, func(t *testing.T) {
			asked := 0
			results, err := newHarness(t, atLeast("native", 3), ratcheting{accepts, tc.dropped, tc.err, &asked}).Check(t.Context(), tc.c)
			if err != nil {
				t.Fatal(err)
			}
			if got := results[0]; got.Verdict != tc.want || got.Effect != tc.effect || asked != tc.asked {
				t.Errorf("verdict %s, effect %q, asked %d times; want %s, %q, %d", got.Verdict, got.Effect, asked, tc.want, tc.effect,
					tc.asked)
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
	summary.Add(harness.Result{
		Case:    &harness.Case{},
		Verdict: words.Ratcheting,
		Effect:  words.Admits,
		Pairs:   []equivalence.Pair{{Native: field.Required(nil, ""), Class: difference.Ratcheting}},
	})
	if summary.Verdicts[words.Ratcheting] != 1 || summary.Classes[difference.Ratcheting] != 1 || summary.OpenEffects[words.Admits] != 0 {
		t.Errorf("got %+v, want one input that is explained, and one error of the class", summary)
	}
}

// Ratcheting explains why the schema accepts an update only if it explains each native error. Beside an old mistake,
// an error that the schema lacks is a hole.
func TestOpenEffectOfRatcheting(t *testing.T) {
	size := field.Invalid(field.NewPath("size"), 2, "must be at least 3")
	color := field.Invalid(field.NewPath("color"), "x", "must be red")
	accepts := backend{"declarative", func(context.Context, *harness.Input) (field.ErrorList, error) { return nil, nil }}
	for _, tc := range []struct {
		why       string
		native    field.ErrorList
		dropped   field.ErrorList
		excepted  string // the field of a native error that an exception accepts
		verdict   words.Verdict
		open      words.Effect
		effectOf  string // the classes of the pairs with their effects
		ratcheted bool
	}{
		{
			why: "the schema never had the other error", native: field.ErrorList{size, color}, dropped: field.ErrorList{size},
			verdict: words.Different, open: words.Admits, effectOf: "too-loose admits, ratcheting admits",
		},
		{
			why: "the schema drops both", native: field.ErrorList{size, color}, dropped: field.ErrorList{color, size},
			verdict: words.Ratcheting, effectOf: "ratcheting admits, ratcheting admits", ratcheted: true,
		},
		{
			why: "native reports a dropped error twice", native: field.ErrorList{size, size}, dropped: field.ErrorList{size},
			verdict: words.Different, open: words.NoEffect, effectOf: "ratcheting admits, count none", ratcheted: true,
		},
		{
			why: "native repeats a dropped error, and has a hole", native: field.ErrorList{size, size, color},
			dropped: field.ErrorList{size},
			verdict: words.Different, open: words.Admits, effectOf: "too-loose admits, ratcheting admits, count admits",
		},
		{
			why:    "the schema drops an error like one of native, at a different field",
			native: field.ErrorList{size}, dropped: field.ErrorList{field.Invalid(field.NewPath("spec", "size"), 2, "must be at least 3")},
			verdict: words.Different, open: words.Admits, effectOf: "too-loose admits",
		},
		{
			why:    "the schema drops an error at the field of a native one that says something different",
			native: field.ErrorList{size}, dropped: field.ErrorList{field.Invalid(field.NewPath("size"), 2, "must be odd")},
			verdict: words.Different, open: words.Admits, effectOf: "too-loose admits",
		},
		{
			why: "the schema drops an error that native does not report", native: field.ErrorList{size, color},
			dropped: field.ErrorList{field.Forbidden(field.NewPath("weight"), "no")},
			verdict: words.Different, open: words.Admits, effectOf: "too-loose admits, too-loose admits",
		},
		{
			why: "the schema drops nothing", native: field.ErrorList{size, color},
			verdict: words.Different, open: words.Admits, effectOf: "too-loose admits, too-loose admits",
		},
		{
			why: "an exception accepts the other error", native: field.ErrorList{size, color}, dropped: field.ErrorList{size},
			excepted: "color",
			verdict:  words.Excepted, effectOf: "too-loose admits, ratcheting admits", ratcheted: true,
		},
		{
			why:    "an exception accepts one of two other errors",
			native: field.ErrorList{size, color, field.Required(field.NewPath("weight"), "")}, dropped: field.ErrorList{size},
			excepted: "color",
			verdict:  words.Different, open: words.Admits, effectOf: "too-loose admits, ratcheting admits, too-loose admits",
		},
	} {
		t.Run(tc.why, func(t *testing.T) {
			asked := 0
			native := backend{"native", func(context.Context, *harness.Input) (field.ErrorList, error) { return tc.native, nil }}
			options := harness.Options{}
			if tc.excepted != "" {
				options.Exceptions = accepting(t, "too-loose", tc.excepted)
			}
			h := newHarnessWith(t, native, ratcheting{accepts, tc.dropped, nil, &asked}, options)
			results, err := h.Check(t.Context(), harness.Case{Object: widget("a", 2), Old: widget("a", 2)})
			if err != nil {
				t.Fatal(err)
			}
			r := results[0]
			var effects []string
			for _, pair := range r.Pairs {
				effects = append(effects, string(pair.Class)+" "+string(r.EffectOf(pair)))
			}
			if got := strings.Join(effects, ", "); r.Effect != words.Admits || r.Verdict != tc.verdict ||
				r.OpenEffect() != tc.open || got != tc.effectOf || r.Ratcheted != tc.ratcheted {
				t.Errorf("effect %s, verdict %s, open %q, ratcheted %t, pairs: %s; want admits, %s, %q, %t, %s",
					r.Effect, r.Verdict, r.OpenEffect(), r.Ratcheted, got, tc.verdict, tc.open, tc.ratcheted, tc.effectOf)
			}
		})
	}
}
