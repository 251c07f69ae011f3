package webhook_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/backends/native/webhook"
	"github.com/diffrun/diffrun/internal/admission"
)

// validateFunc is the validator as a function that takes Go types.
func validateFunc(_ context.Context, object, old *corev1.ConfigMap) field.ErrorList {
	if object.Data["mode"] == "panic" {
		panic("as real ones do")
	}
	return validate(object, old)
}

// Verdicts are answers; faults, and requests that are not reviews, have an HTTP status.
func TestHandler(t *testing.T) {
	ca := newAuthority(t)
	server := serve(t, webhook.Handler(native.Func[*corev1.ConfigMap](validateFunc)), ca.serverConfig("127.0.0.1"))
	backend := newBackend(t, webhook.Options{URL: server.URL, CAFile: ca.file})
	if errs, fault := backend.Validate(t.Context(), input(map[string]string{"mode": "panic"}, nil)); fault == nil ||
		!strings.Contains(fault.Error(), " answered with HTTP status 500 Internal Server Error: there is no verdict: panic: "+
			"as real ones do at github.com/diffrun/diffrun/backends/native/webhook_test/handler_test.go:") {
		t.Errorf("a panic: errors %v, fault %v", errs, fault)
	}
	check(t, backend, input(map[string]string{"size": "1"}, nil), nil)
	client := server.Client()
	for _, tt := range []struct {
		why, method string
		body        []byte
		status      int
		says        string
	}{
		{"a browser", http.MethodGet, nil, http.StatusMethodNotAllowed, "an AdmissionReview is sent by POST"},
		{"a different document", http.MethodPost, []byte(`{"kind": "Pod"}`), http.StatusBadRequest,
			`the request is of apiVersion "" and kind "Pod"; accepted: admission.k8s.io/v1 AdmissionReview`},
		{"nothing", http.MethodPost, nil, http.StatusBadRequest, "the request is not an AdmissionReview"},
		{"too much", http.MethodPost, bytes.Repeat([]byte(" "), admission.MaxRequest+1), http.StatusRequestEntityTooLarge,
			"more than 16 MiB"},
	} {
		request, err := http.NewRequestWithContext(t.Context(), tt.method, server.URL, bytes.NewReader(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		said, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil || response.StatusCode != tt.status || !strings.Contains(string(said), tt.says) {
			t.Errorf("%s: %s, %q, %v", tt.why, response.Status, said, err)
		}
	}
}
