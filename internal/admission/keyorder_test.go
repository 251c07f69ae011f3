package admission_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/admission"
)

// A repetition sends the same object with a different order of keys: a validator whose maps keep that order
// shows whether it depends on it.
func TestKeyOrderOfRepeats(t *testing.T) {
	object := map[string]any{
		"apiVersion": "example.com/v1", "kind": "Widget", "spec": map[string]any{
			"a": nil,
			"b": []any{},
			"c": []any{map[string]any{"x": 1.5, "y": "<&>\u2028"}},
			"d": map[string]any{},
			"e": true,
		},
	}
	orders, documents := map[string]bool{}, map[string]bool{}
	for seed := range uint64(8) {
		request, err := admission.NewRequest(&harness.Input{Object: contract.NewView(object), Order: seed})
		if err != nil {
			t.Fatal(err)
		}
		var review admissionv1.AdmissionReview
		if err := json.Unmarshal(request.Body, &review); err != nil {
			t.Fatal(err)
		}
		if request.UID != review.Request.UID || bytes.ContainsAny(request.Body, "\n") {
			t.Errorf("uid %s and %s, body %s", request.UID, review.Request.UID, request.Body)
		}
		orders[string(review.Request.Object.Raw)] = true
		var got map[string]any
		if err := json.Unmarshal(review.Request.Object.Raw, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(object, got); diff != "" {
			t.Errorf("order %d: another object (-want +got):\n%s", seed, diff)
		}
		sorted, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		documents[string(sorted)] = true
		if seed == 0 && string(review.Request.Object.Raw) != string(sorted) {
			t.Errorf("without a seed the keys are sorted; got %s", review.Request.Object.Raw)
		}
	}
	if len(orders) < 4 || len(documents) != 1 {
		t.Errorf("%d orders of %d objects", len(orders), len(documents))
	}
}
