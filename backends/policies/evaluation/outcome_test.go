package evaluation_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/policies/evaluation"
)

// TestParseDenial: only answers of the API server are parsed.
func TestParseDenial(t *testing.T) {
	for _, tt := range []struct {
		why, text string
		want      *evaluation.Denial
	}{
		{"a cause", "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: a: b",
			&evaluation.Denial{Kind: "ValidatingAdmissionPolicy", Policy: "p", Binding: "b", Text: "a: b"}},
		{"the status message", `widgets.example.com "x" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no`,
			&evaluation.Denial{Kind: "ValidatingAdmissionPolicy", Policy: "p", Binding: "b", Text: "no"}},
		{"a policy that cannot be used", "ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: no",
			&evaluation.Denial{Kind: "ValidatingAdmissionPolicy", Policy: "p", Text: "failed to configure policy: no"}},
		{"several lines", "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: a\nb",
			&evaluation.Denial{Kind: "ValidatingAdmissionPolicy", Policy: "p", Binding: "b", Text: "a\nb"}},
		{"a denial in quotes", "admission webhook denied the request: ValidatingAdmissionPolicy 'p' denied request: no", nil},
		{"something else", "spec.size: Invalid value: 11: must be small", nil},
	} {
		denial, ok := evaluation.ParseDenial(tt.text)
		if tt.want == nil {
			tt.want = &evaluation.Denial{}
			ok = !ok
		}
		if diff := cmp.Diff(*tt.want, denial); diff != "" || !ok {
			t.Errorf("%s: %v, -want +got:\n%s", tt.why, ok, diff)
		}
	}
}
