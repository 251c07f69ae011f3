package apiresource_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// TestLocate: errors of a status, which several schemas report, name the declaration that they come from.
func TestLocate(t *testing.T) {
	v, err := apiresource.Compile(served.Schema(t, `
type: object
properties:
  spec: {type: object, properties: {size: {type: integer, minimum: 1}}}
  status: {type: object, properties: {ready: {type: integer, minimum: 0}}}
x-kubernetes-validations:
- {rule: "!has(self.status) || !has(self.status.ready) || self.status.ready != 7", message: not seven}
- {rule: "!has(self.status) || !has(self.status.ready) || self.status.ready < 7", message: not seven}
`), apiresource.Options{Metadata: apiresource.LeaveMetadata, Subresources: subresource.Subresources{Status: true}})
	if err != nil {
		t.Fatal(err)
	}
	object := func(size, ready int64) *contract.View {
		return contract.NewView(map[string]any{"spec": map[string]any{"size": size}, "status": map[string]any{"ready": ready}})
	}
	for _, tc := range []struct {
		why         string
		subresource string
		size, ready int64
		want        []string
	}{
		{"the object", "", 0, 1, []string{"spec.size: properties[spec].properties[size].minimum"}},
		{"a value of the status", "status", 0, -1, []string{"status.ready: properties[status].properties[ready].minimum"}},
		{"the rules of a status", "status", 1, 7, []string{"<nil>: x-kubernetes-validations[0]", "<nil>: x-kubernetes-validations[1]"}},
	} {
		t.Run(tc.why, func(t *testing.T) {
			located, err := apiresource.Backend{Validator: v}.Capabilities().Locate(t.Context(), &harness.Input{
				Request: harness.Request{Operation: admissionv1.Update, Subresource: tc.subresource},
				Object:  object(tc.size, tc.ready), Old: object(2, 2),
			})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, one := range located {
				got = append(got, one.Field+": "+strings.Join(one.Declared, ", "))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
