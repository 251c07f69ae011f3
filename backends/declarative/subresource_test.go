package declarative_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
)

// TestRulesOfSubresources: a rule may hold in requests to some subresources only.
func TestRulesOfSubresources(t *testing.T) {
	const schema = `{type: object, properties: {count: {type: integer}}, x-kubernetes-validations: [
		{rule: "self.count > 1", message: always},
		{rule: "self.count > 2", message: resize alone, onlySubresources: [resize]},
		{rule: "self.count > 3", message: not resize, exceptSubresources: [resize, binding]}]}`
	for _, tt := range []struct {
		why, subresource string
		opts             declarative.Options
		want             []string
	}{
		{why: "a request to the resource", want: []string{"always", "not resize"}},
		{why: "one rule is for this subresource", subresource: "resize", want: []string{"always", "resize alone"}},
		{why: "one rule is not for this subresource", subresource: "binding", want: []string{"always"}},
		{why: "no rule names this subresource", subresource: "status", want: []string{"always", "not resize"}},
		{
			why: "no release of the API server knows the keys", subresource: "resize",
			opts: declarative.Options{Semantics: declarative.CustomResources}, want: []string{"always", "not resize", "resize alone"},
		},
	} {
		v := compile(t, schema, tt.opts).ForSubresource(tt.subresource)
		for _, one := range []*declarative.Validator{v, v.ForSubresource(tt.subresource), v.WithoutRatcheting()} {
			var got []string
			for _, err := range one.Validate(t.Context(), value.NewValueInterface(object(t, `{"count": 0}`)), nil) {
				got = append(got, err.Detail)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", tt.why, d)
			}
		}
		if got := v.ForSubresource("").Validate(t.Context(), value.NewValueInterface(object(t, `{"count": 3}`)), nil); len(got) != 1 {
			t.Errorf("%s: the validator for the resource itself found %v", tt.why, got)
		}
	}
}
