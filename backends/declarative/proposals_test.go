package declarative_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/diffrun/diffrun/backends/declarative"
)

// TestProposalsOfCustomResources uses the proposals of KEP-4153 in definitions.
func TestProposalsOfCustomResources(t *testing.T) {
	for _, tt := range []wantedCase{
		{why: "the second spelling of the extension", schema: `{type: object, properties: {s: {type: string, maxLength: 1, ` +
			`x-kubernetes-errors: {maxLength: {message: too much, reason: Forbidden}}}}}`,
			object: `{s: abc}`, want: []string{"maxLength FieldValueForbidden s too much"}},
		{why: "both spellings, about different keywords", schema: `{type: object, properties: {s: {type: string, maxLength: ` +
			`1, pattern: "^x", x-kubernetes-errors: {maxLength: {message: too much}}, x-kubernetes-validation-errors: {pattern: ` +
			`{message: no x}}}}}`,
			object: `{s: a}`, want: []string{"pattern FieldValueInvalid s no x"}},
		{why: "a format of the KEP", schema: `{type: object, properties: {s: {type: string, format: dns1035label}}}`,
			object: `{s: "1"}`, want: []string{
				"format=dns1035label FieldValueTypeInvalid s s in body must be of type dns1035label: \"1\": " +
					strings.Join(validation.IsDNS1035Label("1"), ""),
			}},
		{why: "the messageExpression that the KEP writes: a list", schema: `{type: object, properties: {s: {type: string, ` +
			`x-kubernetes-validations: [{rule: "self.isFormat('ipv6')", messageExpression: "self.validateFormat('ipv6')"}]}}}`,
			object: `{s: x}`, want: []string{"x-kubernetes-validations FieldValueInvalid s must be of format ipv6"}},
		{why: "several texts are several errors", schema: `{type: object, x-kubernetes-validations: [{rule: "self.s == 'a'", ` +
			`messageExpression: "['one', 'two']"}], properties: {s: {type: string}}}`,
			object: `{s: x}`, want: []string{
				"x-kubernetes-validations FieldValueInvalid <nil> one",
				"x-kubernetes-validations FieldValueInvalid <nil> two",
			}},
		{why: "values that cannot be a message are ignored", schema: `{type: object, x-kubernetes-validations: [{rule: ` +
			`"self.s == 'a'", messageExpression: "['one', ' ', 'two\\nlines']"}], properties: {s: {type: string}}}`,
			object: `{s: x}`, want: []string{"x-kubernetes-validations FieldValueInvalid <nil> one"}},
		{why: "an empty list has no effect", schema: `{type: object, x-kubernetes-validations: [{rule: "self.s == 'a'", ` +
			`messageExpression: "[self.s].filter(x, false)"}], properties: {s: {type: string}}}`,
			object: `{s: x}`, want: []string{"x-kubernetes-validations FieldValueInvalid <nil> failed rule: self.s == 'a'"}},
	} {
		t.Run(tt.why, func(t *testing.T) {
			tt.opts = declarative.Options{Semantics: declarative.CustomResources, Proposals: true}
			tt.check(t)
			if ignored := compile(t, tt.schema, tt.opts).Ignored(); len(ignored) > 0 {
				t.Errorf("ignored: %v", ignored)
			}
		})
	}
}
