package equivalence_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
)

// A schema that did not look at its rules is not too loose where a rule could have
// found the same.
func TestUnchecked(t *testing.T) {
	ruled := declares{rules: map[string][]field.ErrorType{"spec.b": {field.ErrorTypeRequired, field.ErrorTypeInvalid}}}
	stopped := invalid("<nil>", nil, "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation")
	for name, test := range map[string]struct {
		why                 string
		native, declarative field.ErrorList
		want                []string
	}{
		"both say why it stopped": {
			why:    "what hand-written code finds besides is what the rules might have found",
			native: field.ErrorList{required("spec.a", ""), invalid("spec.b", nil, "must be odd")}, declarative: field.ErrorList{required("spec.a", ""), stopped},
			want: []string{
				"unchecked: - | " + short(stopped),
				"=: Required spec.a | Required spec.a",
				"unchecked: Invalid spec.b must be odd | -",
			},
		},
		"only the schema says why": {
			why:    "the object is refused for what hand-written code does not refuse: that is a difference, the rest cannot be compared",
			native: field.ErrorList{invalid("spec.b", nil, "must be odd"), invalid("spec.b", nil, "must be odd")}, declarative: field.ErrorList{required("spec.a", ""), stopped},
			want: []string{
				"unchecked: - | " + short(stopped),
				"too-strict: - | Required spec.a",
				"unchecked 2:0: Invalid spec.b must be odd | -",
			},
		},
		"no rule above the field": {
			why:    "a rule about spec.b says nothing about spec.size, whether it runs or not",
			native: field.ErrorList{required("spec.a", ""), invalid("spec.size", 9, "must be less than or equal to 5")}, declarative: field.ErrorList{required("spec.a", ""), stopped},
			want: []string{
				"unchecked: - | " + short(stopped),
				"=: Required spec.a | Required spec.a",
				"too-loose: Invalid spec.size must be less than or equal to 5 (9) | -",
			},
		},
		"no rule with that reason": {
			why:    "the rules about spec.b never say that it is forbidden",
			native: field.ErrorList{required("spec.a", ""), {Type: field.ErrorTypeForbidden, Field: "spec.b", Detail: "not now"}}, declarative: field.ErrorList{required("spec.a", ""), stopped},
			want: []string{
				"unchecked: - | " + short(stopped),
				"=: Required spec.a | Required spec.a",
				"too-loose: Forbidden spec.b not now | -",
			},
		},
		"said for no reason": {
			why:    "nothing was wrong, so nothing kept the rules from running",
			native: field.ErrorList{invalid("spec.b", nil, "must be odd")}, declarative: field.ErrorList{stopped},
			want: []string{"too-strict: - | " + short(stopped), "too-loose: Invalid spec.b must be odd | -"},
		},
		"said by the wrong side": {
			why:    "hand-written code has no rules that it could leave out",
			native: field.ErrorList{required("spec.a", ""), stopped}, declarative: field.ErrorList{required("spec.a", ""), required("spec.b", "")},
			want: []string{
				"too-loose: " + short(stopped) + " | -",
				"=: Required spec.a | Required spec.a",
				"too-strict: - | Required spec.b",
			},
		},
		"a copy of what both say": {
			why:    "that a thing is said too often has nothing to do with the rules",
			native: field.ErrorList{required("spec.a", ""), required("spec.a", "")}, declarative: field.ErrorList{required("spec.a", ""), stopped},
			want: []string{"unchecked: - | " + short(stopped), "count 2:1: Required spec.a | Required spec.a"},
		},
		"an empty error": {
			why:    "silence is not explained either",
			native: field.ErrorList{{}}, declarative: field.ErrorList{required("spec.a", ""), stopped},
			want: []string{"too-loose:   | -", "unchecked: - | " + short(stopped), "too-strict: - | Required spec.a"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, summary(matchBy(builtin(t), test.native, test.declarative, ruled))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.why, diff)
			}
		})
	}
	if got := summary(equivalence.NewMatcher(nil).Match(field.ErrorList{invalid("spec.b", nil, "must be odd")}, field.ErrorList{required("spec.a", ""), stopped})); len(got) != 3 || strings.Contains(strings.Join(got, ""), "unchecked") {
		t.Errorf("without rules: %q", got)
	}
}

// A webhook that only says no is compared by its verdict.
func TestRefusals(t *testing.T) {
	denied := &field.Error{Type: field.ErrorTypeInvalid, Origin: "admission/denied"}
	said := &field.Error{Type: field.ErrorTypeInvalid, Origin: "admission/text", Detail: "too many replicas"}
	for name, test := range map[string]struct {
		why                 string
		native, declarative field.ErrorList
		want                []string
	}{
		"denied by both": {
			why:    "the webhook says no, the schema says why",
			native: field.ErrorList{denied}, declarative: field.ErrorList{required("spec.a", ""), required("spec.b", "")},
			want: []string{"verdict: Invalid  | Required spec.a", "verdict: Invalid  | Required spec.b"},
		},
		"denied by the webhook": {
			why:    "the verdicts differ",
			native: field.ErrorList{denied},
			want:   []string{"too-loose: Invalid  | -"},
		},
		"an empty error": {
			why:    "only what comes from a webhook has its mark",
			native: field.ErrorList{{Type: field.ErrorTypeInvalid}}, declarative: field.ErrorList{required("spec.a", "")},
			want: []string{"too-loose: Invalid  | -", "too-strict: - | Required spec.a"},
		},
		"an empty error of the schema": {
			why:    "a mark on the other side means nothing",
			native: field.ErrorList{required("spec.a", "")}, declarative: field.ErrorList{denied},
			want: []string{"too-strict: - | Invalid ", "too-loose: Required spec.a | -"},
		},
		"a text": {
			why:    "both refuse, and where the webhook means nobody knows: neither too loose nor the same",
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
