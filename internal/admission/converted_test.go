package admission_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/admission"
)

func TestConverted(t *testing.T) {
	for _, row := range []struct {
		why, annotation string
		want            []contract.Converted
		warning         string
	}{
		{"an object, with whole numbers, and a version that fails",
			`[{"version":"example.com/v2","object":{"spec":{"size":9007199254740993}}},{"version":"example.com/v3","why":"no"}]`,
			[]contract.Converted{
				{Version: "example.com/v2", Object: map[string]any{"spec": map[string]any{"size": int64(9007199254740993)}}},
				{Version: "example.com/v3", Why: "no"},
			}, ""},
		{"no version", `[{"object":{}}]`, nil, "has a mistake in item 0"},
		{"neither an object nor why", `[{"version":"example.com/v1","why":"no"},{"version":"example.com/v2"}]`, nil,
			"has a mistake in item 1"},
		{"both", `[{"version":"example.com/v3","object":{},"why":"no"}]`, nil, "has a mistake in item 0"},
		{"it is no list, and the verdict stays", `{"version":"example.com/v2"}`, nil, "cannot be read ("},
	} {
		response := &admissionv1.AdmissionResponse{
			Allowed:          true,
			AuditAnnotations: map[string]string{admission.ConvertedAnnotation: row.annotation},
		}
		client := admission.Client{Exchange: func(context.Context, *admission.Question) (admission.Decision, error) {
			return admission.DecisionOf(response), nil
		}}
		ctx, notes := contract.CollectNotes(t.Context())
		_, errs, err := client.Mutate(ctx, input(widget, map[string]any{"apiVersion": "example.com/v1", "kind": "Widget"}, nil))
		if err != nil || len(errs) != 0 {
			t.Fatalf("%s: %v, %v", row.why, errs, err)
		}
		if diff := cmp.Diff(row.want, notes().Converted); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.why, diff)
		}
		if warnings := strings.Join(notes().Warnings, "\n"); !strings.Contains(warnings, row.warning) ||
			(row.warning == "") != (warnings == "") {
			t.Errorf("%s: warnings %q, want %q", row.why, warnings, row.warning)
		}
	}
}
