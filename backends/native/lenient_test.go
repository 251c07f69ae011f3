package native_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

type typed struct {
	Spec struct {
		Name   string             `json:"name"`
		Small  int8               `json:"small"`
		Port   intstr.IntOrString `json:"port"`
		Memory resource.Quantity  `json:"memory"`
		Every  metav1.Duration    `json:"every"`
		Since  metav1.Time        `json:"since"`
		Items  []struct {
			On bool `json:"on"`
		} `json:"items"`
	} `json:"spec"`
}

// Each value that the Go type cannot hold is an error at its field, because a schema reports all of them.
func TestUndecodable(t *testing.T) {
	lenient := native.Func[*typed](func(context.Context, *typed, *typed) field.ErrorList { return nil }).Lenient()
	for _, tt := range []struct {
		why    string
		spec   any
		fields []string
	}{
		{"all fit", map[string]any{
			"name":   "a",
			"small":  int64(1),
			"port":   "http",
			"memory": "1Gi",
			"every":  "5s",
			"since":  "2026-01-02T03:04:05Z",
		}, nil},
		{"an unknown field was pruned", map[string]any{"nme": "a"}, nil},
		{"a number for a text", map[string]any{"name": int64(1)}, []string{"spec.name"}},
		{"an integer that is too large", map[string]any{"small": int64(300)}, []string{"spec.small"}},
		{"neither an integer nor a text", map[string]any{"port": true}, []string{"spec.port"}},
		{"no quantity", map[string]any{"memory": "lots"}, []string{"spec.memory"}},
		{"no duration", map[string]any{"every": "soon"}, []string{"spec.every"}},
		{"no time", map[string]any{"since": "noon"}, []string{"spec.since"}},
		{"in an item", map[string]any{"items": []any{map[string]any{"on": true}, map[string]any{"on": "yes"}}},
			[]string{"spec.items[1].on"}},
		{"several", map[string]any{"name": int64(1), "memory": "lots", "small": "one"}, []string{"spec.memory", "spec.name", "spec.small"}},
		{"all of it", "text", []string{"spec"}},
	} {
		errs, fault := lenient.Validate(t.Context(), &harness.Input{
			Request: harness.Request{Version: sizeV1, Operation: admissionv1.Create},
			Object:  contract.NewView(map[string]any{"apiVersion": "example.com/v1", "kind": "Size", "spec": tt.spec}),
		})
		var fields []string
		for _, err := range errs {
			fields = append(fields, err.Field)
			if err.Type != field.ErrorTypeTypeInvalid || err.Origin != "decoding" {
				t.Errorf("%s: type %s, origin %q", tt.why, err.Type, err.Origin)
			}
		}
		if diff := cmp.Diff(tt.fields, fields); diff != "" || fault != nil {
			t.Errorf("%s: fault %v (-want +got):\n%s\n%v", tt.why, fault, diff, errs)
		}
	}
}
