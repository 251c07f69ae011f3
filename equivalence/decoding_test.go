package equivalence_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
)

// A native validator that cannot decode an object checks nothing of it, and a schema checks everything.
func TestDecoding(t *testing.T) {
	undecodable := func(at string) *field.Error {
		return &field.Error{
			Type:     field.ErrorTypeTypeInvalid,
			Field:    at,
			BadValue: field.OmitValueType{},
			Detail:   "must be text, not a number",
			Origin:   "decoding",
		}
	}
	schema := func(errType field.ErrorType, at, origin string) *field.Error {
		return &field.Error{Type: errType, Field: at, BadValue: "a", Detail: "in body must be of another form", Origin: origin}
	}
	const wrongType, invalid, required = field.ErrorTypeTypeInvalid, field.ErrorTypeInvalid, field.ErrorTypeRequired
	notChecked := field.Invalid(nil, nil, "some validation rules were not checked because the object was invalid; "+
		"correct the existing errors to complete validation")
	for _, tt := range []struct {
		why                 string
		native, declarative field.ErrorList
		want                []string
	}{
		{"the same value", field.ErrorList{undecodable("spec.a")}, field.ErrorList{schema(wrongType, "spec.a", "type")},
			[]string{"decoding"}},
		{"a quantity is a text with a pattern", field.ErrorList{undecodable("spec.a")},
			field.ErrorList{schema(invalid, "spec.a", "pattern")}, []string{"decoding"}},
		{"the schema goes on", field.ErrorList{undecodable("spec.a")}, field.ErrorList{schema(wrongType, "spec.a", "type"),
			schema(invalid, "spec.b", "minimum"), schema(required, "spec.c", "required")}, []string{"decoding", "decoding", "decoding"}},
		{"and says that it did not check its rules", field.ErrorList{undecodable("spec.a")},
			field.ErrorList{schema(wrongType, "spec.a", "type"), notChecked}, []string{"unchecked", "decoding"}},
		{"the schema accepts the value", field.ErrorList{undecodable("spec.a")}, nil, []string{"too-loose"}},
		{"one value of two", field.ErrorList{undecodable("spec.a"), undecodable("spec.b")},
			field.ErrorList{schema(wrongType, "spec.b", "type")}, []string{"too-loose", "decoding"}},
		{"the schema refuses another field", field.ErrorList{undecodable("spec.a")},
			field.ErrorList{schema(required, "spec.b", "required")}, []string{"too-loose", "too-strict"}},
		{"a rule, which may be about the old object", field.ErrorList{undecodable("spec.a")},
			field.ErrorList{schema(invalid, "spec.a", "x-kubernetes-validations")}, []string{"type"}},
		{"the schema misses the value", field.ErrorList{undecodable("spec.a")}, field.ErrorList{schema(required, "spec.a", "required")},
			[]string{"type"}},
		{"no decoder made the error", field.ErrorList{{Type: wrongType, Field: "spec.a", Detail: "must be text"}},
			field.ErrorList{schema(wrongType, "spec.a", "type")}, []string{"detail"}},
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
