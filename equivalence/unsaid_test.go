package equivalence_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
)

// If a schema did not check its rules, it is not too loose where one of them would have reported the same.
func TestUnchecked(t *testing.T) {
	stopped := invalid("<nil>", nil, "some validation rules were not checked because the object was invalid; correct the "+
		"existing errors to complete validation")
	odd := field.ErrorList{invalid("spec.b", 2, "must be odd")}
	for name, test := range map[string]struct {
		why                            string
		native, declarative, unchecked field.ErrorList
		want                           []string
	}{
		"a rule says the same": {
			why:    "both report why they stopped, and the rule would have found the rest",
			native: field.ErrorList{required("spec.a", ""), odd[0]}, declarative: field.ErrorList{required("spec.a", ""), stopped},
			unchecked: odd,
			want: []string{
				"unchecked: - | " + short(stopped),
				"=: Required spec.a | Required spec.a",
				"unchecked: Invalid spec.b must be odd (2) | -",
			},
		},
		"a rule says it in other words": {
			why:         "one of our rules explains them",
			native:      field.ErrorList{required("spec.a", ""), invalid("spec.b", nil, "must be non-negative")},
			declarative: field.ErrorList{required("spec.a", ""), stopped},
			unchecked:   field.ErrorList{invalid("spec.b", nil, "should be greater than or equal to 0")},
			want: []string{
				"unchecked: - | " + short(stopped),
				"=: Required spec.a | Required spec.a",
				"unchecked: Invalid spec.b must be non-negative | -",
			},
		},
		"a rule joins what hand-written code says one by one": {
			why: "errors that are compared in parts are compared in parts here",
			native: field.ErrorList{required("spec.a", ""), invalid("spec.b", nil, "must not contain dots"),
				invalid("spec.b", nil, "must be no more than 63 characters")},
			declarative: field.ErrorList{required("spec.a", ""), stopped},
			unchecked:   field.ErrorList{invalid("spec.b", nil, "must not contain dots; must be no more than 63 characters")},
			want: []string{
				"unchecked: - | " + short(stopped),
				"=: Required spec.a | Required spec.a",
				"unchecked: Invalid spec.b must be no more than 63 characters | -",
				"unchecked: Invalid spec.b must not contain dots | -",
			},
		},
		"only the schema says why": {
			why: "the object is rejected for a mistake that hand-written code accepts: that is a difference, and so is an error " +
				"that a rule would report once and hand-written code reports twice",
			native: field.ErrorList{odd[0], odd[0]}, declarative: field.ErrorList{required("spec.a", ""), stopped}, unchecked: odd,
			want: []string{
				"unchecked: - | " + short(stopped),
				"too-strict: - | Required spec.a",
				"unchecked: Invalid spec.b must be odd (2) | -",
				"count: Invalid spec.b must be odd (2) | -",
			},
		},
		"no rule reports it": {
			why:    "the rules hold, so the schema is too loose whether they run or not",
			native: field.ErrorList{required("spec.a", ""), odd[0]}, declarative: field.ErrorList{required("spec.a", ""), stopped},
			want: []string{
				"unchecked: - | " + short(stopped),
				"=: Required spec.a | Required spec.a",
				"too-loose: Invalid spec.b must be odd (2) | -",
			},
		},
		"a rule reports another type, field, text or value": {
			why:    "none of these would have agreed if the rules had been checked",
			native: field.ErrorList{required("spec.a", ""), odd[0]}, declarative: field.ErrorList{required("spec.a", ""), stopped},
			unchecked: field.ErrorList{
				{Type: field.ErrorTypeForbidden, Field: "spec.b", Detail: "must be odd"},
				invalid("spec.c", 2, "must be odd"),
				invalid("spec.b", 2, "must be even"),
				invalid("spec.b", 4, "must be odd"),
			},
			want: []string{
				"unchecked: - | " + short(stopped),
				"=: Required spec.a | Required spec.a",
				"too-loose: Invalid spec.b must be odd (2) | -",
			},
		},
		"said for no reason": {
			why:    "nothing was wrong, so nothing kept the rules from running",
			native: odd, declarative: field.ErrorList{stopped}, unchecked: odd,
			want: []string{"too-strict: - | " + short(stopped), "too-loose: Invalid spec.b must be odd (2) | -"},
		},
		"said by a rule": {
			why:    "a rule can have any message, and omits its value",
			native: odd, declarative: field.ErrorList{invalid("<nil>", field.OmitValueType{}, stopped.Detail), required("spec.a", "")},
			unchecked: odd,
			want:      []string{"too-strict: - | Required spec.a", "path: Invalid spec.b must be odd (2) | " + short(stopped) + " ({})"},
		},
		"said by the wrong side": {
			why:         "hand-written code has no rules that it could leave out",
			native:      field.ErrorList{required("spec.a", ""), stopped},
			declarative: field.ErrorList{required("spec.a", ""), required("spec.b", "")},
			want: []string{
				"too-loose: " + short(stopped) + " | -",
				"=: Required spec.a | Required spec.a",
				"too-strict: - | Required spec.b",
			},
		},
		"a copy of what both say": {
			why:         "the rules do not affect how often an error is reported",
			native:      field.ErrorList{required("spec.a", ""), required("spec.a", "")},
			declarative: field.ErrorList{required("spec.a", ""), stopped}, unchecked: odd,
			want: []string{"unchecked: - | " + short(stopped), "count 2:1: Required spec.a | Required spec.a"},
		},
		"an empty error": {
			why:    "silence is not explained either",
			native: field.ErrorList{{}}, declarative: field.ErrorList{required("spec.a", ""), stopped}, unchecked: field.ErrorList{{}},
			want: []string{"too-loose:   | -", "unchecked: - | " + short(stopped), "too-strict: - | Required spec.a"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			pairs := builtin(t).MatchAnswers(difference.Answer{Errors: test.native},
				difference.Answer{Errors: test.declarative, Unchecked: test.unchecked}, nil)
			if diff := cmp.Diff(test.want, summary(pairs)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.why, diff)
			}
		})
	}
	if got := summary(equivalence.NewMatcher(nil).Match(field.ErrorList{invalid("spec.b", nil, "must be odd")},
		field.ErrorList{required("spec.a", ""), stopped})); len(got) != 3 || strings.Contains(strings.Join(got, ""), "unchecked") {
		t.Errorf("without rules: %q", got)
	}
}

// A webhook that refuses without a reason is compared by its verdict.
func TestRefusals(t *testing.T) {
	denied := &field.Error{Type: field.ErrorTypeInvalid, Origin: "admission/denied"}
	said := &field.Error{Type: field.ErrorTypeInvalid, Origin: "admission/text", Detail: "too many replicas"}
	for name, test := range map[string]struct {
		why                 string
		native, declarative field.ErrorList
		want                []string
	}{
		"denied by both": {
			why:    "the webhook only refuses, the schema reports why",
			native: field.ErrorList{denied}, declarative: field.ErrorList{required("spec.a", ""), required("spec.b", "")},
			want: []string{"verdict: Invalid  | Required spec.a", "verdict: Invalid  | Required spec.b"},
		},
		"denied by the webhook": {
			why:    "the verdicts differ",
			native: field.ErrorList{denied},
			want:   []string{"too-loose: Invalid  | -"},
		},
		"an empty error": {
			why:    "only errors of a webhook have its mark",
			native: field.ErrorList{{Type: field.ErrorTypeInvalid}}, declarative: field.ErrorList{required("spec.a", "")},
			want: []string{"too-loose: Invalid  | -", "too-strict: - | Required spec.a"},
		},
		"an empty error of the schema": {
			why:    "a mark on the other side means nothing",
			native: field.ErrorList{required("spec.a", "")}, declarative: field.ErrorList{denied},
			want: []string{"too-strict: - | Invalid ", "too-loose: Required spec.a | -"},
		},
		"a text": {
			why:    "both refuse, and the place that the webhook means is unknown: neither too loose nor equal",
			native: field.ErrorList{said}, declarative: field.ErrorList{required("spec.a", ""), required("spec.b", "")},
			want: []string{"path: Invalid  too many replicas | Required spec.a", "too-strict: - | Required spec.b"},
		},
		"a text alone": {
			why:    "the verdicts differ",
			native: field.ErrorList{said},
			want:   []string{"too-loose: Invalid  too many replicas | -"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, summary(builtin(t).Match(test.native, test.declarative))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.why, diff)
			}
		})
	}
}
