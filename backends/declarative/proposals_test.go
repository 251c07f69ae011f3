package declarative_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/served"
)

// TestProposalsOn gives definitions what KEP-4153 proposes.
func TestProposalsOn(t *testing.T) {
	for _, tt := range []struct {
		why, schema, object string
		want                []string
	}{
		{"the second spelling of the extension", `{type: object, properties: {s: {type: string, maxLength: 1, x-kubernetes-errors: {maxLength: {message: too much, reason: Forbidden}}}}}`,
			`{s: abc}`, []string{"maxLength FieldValueForbidden s too much"}},
		{"both spellings, about different keywords", `{type: object, properties: {s: {type: string, maxLength: 1, pattern: "^x", x-kubernetes-errors: {maxLength: {message: too much}}, x-kubernetes-validation-errors: {pattern: {message: no x}}}}}`,
			`{s: a}`, []string{"pattern FieldValueInvalid s no x"}},
		{"a format of the KEP", `{type: object, properties: {s: {type: string, format: dns1035label}}}`, `{s: "1"}`, []string{"format=dns1035label FieldValueTypeInvalid s "}},
		{"the messageExpression that the KEP writes: a list, joined", `{type: object, properties: {s: {type: string, x-kubernetes-validations: [{rule: "self.isFormat('ipv6')", messageExpression: "self.validateFormat('ipv6')"}]}}}`,
			`{s: x}`, []string{"x-kubernetes-validations FieldValueInvalid s must be of format ipv6"}},
		{"several texts", `{type: object, x-kubernetes-validations: [{rule: "self.s == 'a'", messageExpression: "['one', 'two']"}], properties: {s: {type: string}}}`,
			`{s: x}`, []string{"x-kubernetes-validations FieldValueInvalid <nil> one; two"}},
		{"an empty list says nothing", `{type: object, x-kubernetes-validations: [{rule: "self.s == 'a'", messageExpression: "[self.s].filter(x, false)"}], properties: {s: {type: string}}}`,
			`{s: x}`, []string{"x-kubernetes-validations FieldValueInvalid <nil> failed rule: self.s == 'a'"}},
	} {
		t.Run(tt.why, func(t *testing.T) {
			v := compile(t, tt.schema, declarative.Options{Semantics: declarative.CustomResources, Proposals: declarative.ProposalsOn})
			if ignored := v.Ignored(); len(ignored) > 0 {
				t.Errorf("ignored: %v", ignored)
			}
			got := origins(v.Validate(t.Context(), value.NewValueInterface(served.Object(t, tt.object)), nil))
			for i := range got {
				if strings.HasSuffix(tt.want[min(i, len(tt.want)-1)], " ") { // only the beginning is wanted
					got[i] = strings.Join(strings.Fields(got[i])[:3], " ") + " "
				}
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestProposalMistakes: what the KEP does not say either is a mistake of the schema.
func TestProposalMistakes(t *testing.T) {
	for _, tt := range []struct {
		why, schema string
		proposals   declarative.Proposals
		want        string
	}{
		{"a keyword in both spellings", `{type: object, properties: {s: {type: string, maxLength: 1, x-kubernetes-errors: {maxLength: {message: a}}, x-kubernetes-validation-errors: {maxLength: {message: b}}}}}`,
			declarative.ProposalsOn, "properties[s].x-kubernetes-errors[maxLength]: Invalid value: \"maxLength\": stands in x-kubernetes-validation-errors too; keep one of the two"},
		{"the API server takes no list", `{type: object, x-kubernetes-validations: [{rule: "true", messageExpression: "['a']"}]}`,
			declarative.ProposalsForNativeTypes, "must evaluate to a string, not to a list(string)"},
		{"a list of numbers", `{type: object, x-kubernetes-validations: [{rule: "true", messageExpression: "[1]"}]}`,
			declarative.ProposalsOn, "must evaluate to a string or a list(string), not to a list(int)"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			_, err := declarative.Compile(served.Schema(t, tt.schema), declarative.Options{Semantics: declarative.CustomResources, Proposals: tt.proposals})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("want %q in %v", tt.want, err)
			}
		})
	}
}
