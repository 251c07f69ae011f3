package equivalence_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
)

// TestDenials: a denial by a ValidatingAdmissionPolicy names no field, so it is compared by its text, on
// either side.
func TestDenials(t *testing.T) {
	denial := func(errType field.ErrorType, text string) *field.Error {
		return &field.Error{Type: errType, BadValue: field.OmitValueType{}, Detail: text, Origin: "ValidatingAdmissionPolicy/p/b"}
	}
	rule := func(errType field.ErrorType, at, text string) *field.Error {
		return &field.Error{Type: errType, Field: at, BadValue: int64(11), Detail: text, Origin: "x-kubernetes-validations"}
	}
	const invalid, forbidden, duplicate = field.ErrorTypeInvalid, field.ErrorTypeForbidden, field.ErrorTypeDuplicate
	for _, tt := range []struct {
		why                 string
		native, declarative field.ErrorList
		want                []string
	}{
		{"a rule that became a policy", field.ErrorList{rule(invalid, "spec.size", "must be small")},
			field.ErrorList{denial(invalid, "must be small")}, []string{"policy"}},
		{"a policy that became a rule", field.ErrorList{denial(invalid, "must be small")},
			field.ErrorList{rule(invalid, "spec.size", "must be small")}, []string{"policy"}},
		{"a type that no policy has is Invalid", field.ErrorList{rule(duplicate, "spec.size", "must be small")},
			field.ErrorList{denial(invalid, "must be small")}, []string{"policy"}},
		{"a reason that the other side does not have", field.ErrorList{rule(invalid, "spec.size", "must be small")},
			field.ErrorList{denial(forbidden, "must be small")}, []string{"path"}},
		{"a different text", field.ErrorList{rule(invalid, "spec.size", "must be small")},
			field.ErrorList{denial(invalid, "must be tiny")}, []string{"path"}},
		{"no text", field.ErrorList{rule(invalid, "spec.size", "")}, field.ErrorList{denial(invalid, "")},
			[]string{"too-strict", "too-loose"}},
		{"one denial does not match two errors", field.ErrorList{rule(invalid, "spec.size", "must be small"),
			rule(invalid, "spec.other", "must be small")}, field.ErrorList{denial(invalid, "must be small")},
			[]string{"policy", "too-loose"}},
		{"two policies", field.ErrorList{denial(invalid, "must be small")}, field.ErrorList{denial(invalid, "must be small")},
			[]string{""}},
		{"two policies with other reasons", field.ErrorList{denial(forbidden, "must be small")},
			field.ErrorList{denial(invalid, "must be small")}, []string{"type"}},
		{"two other errors", field.ErrorList{rule(invalid, "spec.size", "must be small")},
			field.ErrorList{rule(invalid, "", "must be small")}, []string{"path"}},
	} {
		t.Run(tt.why, func(t *testing.T) {
			rules, err := equivalence.BuiltinRules()
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, pair := range equivalence.NewMatcher(rules).Match(tt.native, tt.declarative) {
				if pair.Rule != nil {
					got = append(got, pair.Rule.Name)
					continue
				}
				got = append(got, string(pair.Class))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
