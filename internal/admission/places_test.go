package admission_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/admission"
)

func TestPlaces(t *testing.T) {
	causes := []metav1.StatusCause{
		{Type: "FieldValueInvalid", Field: "spec.a", Message: "Invalid value: 1: must be even"},
		{Type: "FieldValueRequired", Field: "spec.b", Message: "Required value"},
	}
	for _, row := range []struct {
		why, annotation string
		want            []string
	}{
		{"both errors have places", `[{"cause":1,"place":"validateB","position":"b.go:2"},{"cause":0,"place":"validateA",` +
			`"position":"a.go:1"}]`,
			[]string{"spec.b: Required value: b.go:2 validateB", "spec.a: Invalid value: 1: must be even: a.go:1 validateA"}},
		{"there is no such cause", `[{"cause":2,"place":"validateB"},{"cause":-1,"place":"validateB"}]`, nil},
		{"it is no list, and the verdict stays", `{"cause":1}`, nil},
	} {
		response := &admissionv1.AdmissionResponse{Result: &metav1.Status{Details: &metav1.StatusDetails{Causes: causes}},
			AuditAnnotations: map[string]string{admission.PlacesAnnotation: row.annotation}}
		client := admission.Client{Exchange: func(context.Context, *admission.Question) (admission.Decision, error) {
			return admission.DecisionOf(response), nil
		}}
		ctx, notes := contract.CollectNotes(t.Context())
		errs, err := client.Validate(ctx, input(widget, map[string]any{"apiVersion": "example.com/v1", "kind": "Widget"}, nil))
		if err != nil || len(errs) != 2 {
			t.Fatalf("%s: %v, %v", row.why, errs, err)
		}
		var got []string
		for _, one := range notes().Located {
			got = append(got, one.Error.Error()+": "+one.Position+" "+one.Declared[0])
		}
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.why, diff)
		}
	}
}
