package equivalence_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
)

// Evidence is only an error that the schema reports for a changed value and drops for an unchanged one. The
// wording is not evidence.
func TestRatcheting(t *testing.T) {
	least := func(at string, value any) list {
		return list{invalid(at, value, "must be greater than or equal to 0")}
	}
	const twice = "exists in both matchLabelKeys and labelSelector"
	for _, tc := range []struct {
		why                                    string
		native, declarative, withoutRatcheting list
		want                                   []string
	}{
		{
			why:    "the schema drops the same error",
			native: least("spec.a", -1), withoutRatcheting: least("spec.a", -1),
			want: []string{"ratcheting: Invalid spec.a must be greater than or equal to 0 (-1) | -"},
		},
		{
			why:    "the schema drops an equivalent error",
			native: least("spec.a", -1), withoutRatcheting: list{invalid("spec.a", -1, "should be greater than or equal to 0")},
			want: []string{"ratcheting by minimum: Invalid spec.a must be greater than or equal to 0 (-1) | -"},
		},
		{
			why:    "the schema drops nothing: it never had the error",
			native: least("spec.a", -1),
			want:   []string{"too-loose: Invalid spec.a must be greater than or equal to 0 (-1) | -"},
		},
		{
			why:    "the dropped error is at a different field, or has a different text",
			native: least("spec.a", -1), withoutRatcheting: append(least("spec.b", -1), required("spec.a", "")),
			want: []string{"too-loose: Invalid spec.a must be greater than or equal to 0 (-1) | -"},
		},
		{
			why:    "an error that the schema still reports is no evidence for a second error",
			native: list{least("spec.a", -1)[0], invalid("spec.a", -1, "must be no less than 0")}, declarative: least("spec.a", -1),
			withoutRatcheting: least("spec.a", -1),
			want: []string{
				"=: Invalid spec.a must be greater than or equal to 0 (-1) | Invalid spec.a must be greater than or equal to 0 (-1)",
				"too-loose: Invalid spec.a must be no less than 0 (-1) | -",
			},
		},
		{
			why:    "one dropped error is evidence for one native error; that a create has it once less stays a difference",
			native: append(least("spec.a", -1), least("spec.a", -1)...), withoutRatcheting: least("spec.a", -1),
			want: []string{
				"ratcheting: Invalid spec.a must be greater than or equal to 0 (-1) | -",
				"count: Invalid spec.a must be greater than or equal to 0 (-1) | -",
			},
		},
		{
			why:               "two dropped errors are evidence for two native errors",
			native:            append(least("spec.a", -1), least("spec.a", -1)...),
			withoutRatcheting: append(least("spec.a", -1), least("spec.a", -1)...),
			want:              []string{"ratcheting 2:0: Invalid spec.a must be greater than or equal to 0 (-1) | -"},
		},
		{
			why:               "whatever the wording is",
			native:            append(least("spec.a", -1), append(least("spec.a", -1), least("spec.a", -1)...)...),
			withoutRatcheting: list{invalid("spec.a", -1, "should be greater than or equal to 0")},
			want: []string{
				"ratcheting by minimum: Invalid spec.a must be greater than or equal to 0 (-1) | -",
				"count 2:0: Invalid spec.a must be greater than or equal to 0 (-1) | -",
			},
		},
		{
			why:    "an error that the schema reports once, and would report twice, counts twice",
			native: append(least("spec.a", -1), least("spec.a", -1)...), declarative: least("spec.a", -1),
			withoutRatcheting: append(least("spec.a", -1), least("spec.a", -1)...),
			want: []string{
				"=: Invalid spec.a must be greater than or equal to 0 (-1) | Invalid spec.a must be greater than or equal to 0 (-1)",
				"ratcheting: Invalid spec.a must be greater than or equal to 0 (-1) | -",
			},
		},
		{
			why:               "a rule allows hand-written code to report it more than once, on an update as on a create",
			native:            list{invalid("spec.a", "b", twice), invalid("spec.a", "b", twice)},
			withoutRatcheting: list{invalid("spec.a", "b", twice)},
			want:              []string{"ratcheting 2:0: Invalid spec.a " + twice + " (b) | -"},
		},
		{
			why:         "an error that only the schema reports stays too strict",
			declarative: least("spec.b", -1), native: least("spec.a", -1),
			withoutRatcheting: append(least("spec.a", -1), least("spec.b", -1)...),
			want: []string{
				"ratcheting: Invalid spec.a must be greater than or equal to 0 (-1) | -",
				"too-strict: - | Invalid spec.b must be greater than or equal to 0 (-1)",
			},
		},
	} {
		t.Run(tc.why, func(t *testing.T) {
			pairs := builtin(t).MatchAnswers(difference.Answer{Errors: tc.native},
				difference.Answer{Errors: tc.declarative, WithoutRatcheting: tc.withoutRatcheting}, nil)
			got := summary(pairs)
			for i, pair := range pairs {
				if pair.Class == difference.Ratcheting && pair.Rule != nil {
					got[i] = strings.Replace(got[i], "ratcheting", "ratcheting by "+pair.Rule.Name, 1)
				}
				if pair.Class == difference.Ratcheting && !pair.Explained() {
					t.Errorf("%s is not explained", got[i])
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Ratcheting explains errors marked as covered first, as creates pair them first.
func TestRatchetingOfCoveredErrors(t *testing.T) {
	covered, other := invalid("spec.a", 1, "must be odd"), invalid("spec.a", 1, "must be odd")
	covered.CoveredByDeclarative = true
	pairs := equivalence.NewMatcher(nil).MatchAnswers(difference.Answer{Errors: list{covered, other}},
		difference.Answer{WithoutRatcheting: list{invalid("spec.a", 1, "must be odd")}}, nil)
	if len(pairs) != 2 || pairs[0].NativeCovered != 1 || pairs[1].NativeCovered != 0 {
		t.Fatalf("got %+v", pairs)
	}
	if got := pairs[0].Frequency() + ", " + pairs[1].Frequency(); got != ", native once more" {
		t.Errorf("got %q", got)
	}
}

// Ratcheting is an explanation, so it needs no exception.
func TestNoExceptionForRatcheting(t *testing.T) {
	_, err := equivalence.LoadExceptions("exceptions.yaml",
		[]byte("- {id: a, target: v1 Pod, class: ratcheting, field: spec, why: known, owner: me, issue: 'https://example.com', "+
			"expires: 2100-01-01}\n"), today())
	want := "exceptions.yaml:1: class ratcheting needs no exception: it is explained, and fails a run only with --fail-on ratcheting"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
