package webhook_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/native/webhook"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// A webhook is a native backend, given its URL. It sees the AdmissionReviews of the API server; this one
// rejects every object.
func ExampleNew() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request, _ := io.ReadAll(r.Body)
		_, after, _ := strings.Cut(string(request), `"uid":"`)
		uid, _, _ := strings.Cut(after, `"`)
		fmt.Fprintf(w, `{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": {
			"uid": %q, "allowed": false, "status": {"message": "spec.size: Invalid value: -1: must be positive"}}}`, uid)
	}))
	defer server.Close()

	backend, err := webhook.New(webhook.Options{URL: server.URL + "/validate"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = backend.Close() }()
	errs, fault := backend.Validate(context.Background(), &harness.Input{
		Request: harness.Request{
			Version:   schema.GroupVersionKind{Group: "example.dev", Version: "v1", Kind: "Widget"},
			Operation: admissionv1.Create,
		},
		Object: contract.NewView(map[string]any{
			"apiVersion": "example.dev/v1", "kind": "Widget", "spec": map[string]any{"size": int64(-1)},
		}),
	})
	fmt.Println(errs.ToAggregate(), fault)
	// Output:
	// spec.size: Invalid value: -1: must be positive <nil>
}
