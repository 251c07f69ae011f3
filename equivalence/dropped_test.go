package equivalence_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
)

// An exception accepts on an update, where the schema drops its error, what it accepts on a create, and
// nothing else.
func TestExceptionsForDroppedErrors(t *testing.T) {
	const (
		here  = "spec.mounts.mode"
		there = "spec.mounts[0].mode"
	)
	path := entry("id: path", "class: path", "field: "+here, "native: {type: FieldValueInvalid}",
		"declarative: {field: 'spec.mounts[*].mode', type: FieldValueInvalid}")
	detail := entry("id: detail", "class: detail", "field: spec.a", "native: {detail: must be odd}", "declarative: {detail: is even}")
	created := entry("id: created", "class: detail", "field: spec.a", "native: {detail: must be odd}",
		"declarative: {detail: is even}", "operations: [CREATE]")
	for _, tc := range []struct {
		why                                    string
		exception                              string
		native, declarative, withoutRatcheting list
		want                                   []string // by pair: the accepting exception or ""
	}{
		{
			why:       "the field of the native error has no index",
			exception: path, native: list{invalid(here, "a", "must be odd")}, withoutRatcheting: list{invalid(there, "a", "must be odd")},
			want: []string{"path"},
		},
		{
			why:       "the texts differ as on a create",
			exception: detail, native: list{invalid("spec.a", "a", "must be odd")},
			withoutRatcheting: list{invalid("spec.a", "a", "is even")},
			want:              []string{"detail"},
		},
		{
			why:       "the schema drops nothing, so it lacks the error",
			exception: path, native: list{invalid(here, "a", "must be odd")},
			want: []string{""},
		},
		{
			why:       "the schema drops an error at a field that the exception does not name",
			exception: path, native: list{invalid(here, "a", "must be odd")},
			withoutRatcheting: list{invalid("spec.mode", "a", "must be odd")},
			want:              []string{""},
		},
		{
			why:       "the schema drops an error with a text that the exception does not name",
			exception: detail, native: list{invalid("spec.a", "a", "must be odd")},
			withoutRatcheting: list{invalid("spec.a", "a", "is small")},
			want:              []string{""},
		},
		{
			why:       "native reports it twice, the schema would once: that is one more difference",
			exception: path, native: list{invalid(here, "a", "must be odd"), invalid(here, "a", "must be odd")},
			withoutRatcheting: list{invalid(there, "a", "must be odd")},
			want:              []string{""},
		},
		{
			why:       "both report it twice",
			exception: path, native: list{invalid(here, "a", "must be odd"), invalid(here, "a", "must be odd")},
			withoutRatcheting: list{invalid(there, "a", "must be odd"), invalid(there, "a", "must be odd")},
			want:              []string{"path"},
		},
		{
			why:       "the schema reports its error in spite of ratcheting, for a different native error",
			exception: path, native: list{invalid(here, "a", "must be odd"), invalid(there, "a", "must be odd")},
			declarative: list{invalid(there, "a", "must be odd")}, withoutRatcheting: list{invalid(there, "a", "must be odd")},
			want: []string{"", ""},
		},
		{
			why:       "one dropped error is evidence for one native error",
			exception: path, native: list{invalid(here, "a", "must be odd"), invalid(here, "b", "must be odd")},
			withoutRatcheting: list{invalid(there, "a", "must be odd")},
			want:              []string{"path", ""},
		},
		{
			why:       "the exception is about creates",
			exception: created, native: list{invalid("spec.a", "a", "must be odd")},
			withoutRatcheting: list{invalid("spec.a", "a", "is even")},
			want:              []string{""},
		},
	} {
		t.Run(tc.why, func(t *testing.T) {
			subject := deployment("v1")
			subject.Operation = "UPDATE"
			pairs := equivalence.NewMatcher(nil).MatchAnswers(difference.Answer{Errors: tc.native},
				difference.Answer{Errors: tc.declarative, WithoutRatcheting: tc.withoutRatcheting}, nil)
			got := []string{}
			for _, pair := range load(t, tc.exception).Explain(subject, pairs) {
				if pair.Exception != nil {
					got = append(got, pair.Exception.ID)
				} else {
					got = append(got, "")
				}
				if pair.Dropped != nil && pair.Class != difference.TooLoose {
					t.Errorf("a pair of class %s has a dropped error", pair.Class)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
