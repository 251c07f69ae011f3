package webhook

import (
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/admission"
)

// Handler turns a validator into a validating webhook, as a suite names it under
// "native: {webhook: …}" and as a cluster calls it:
//
//	http.Handle("/validate", webhook.Handler(native.Func[*Widget](validate)))
//
// The validator is a backend of package native, or a validator or handler of package
// controllerruntime. It must handle several requests at once. A panic or other fault of the
// validator is answered with HTTP status 500, for which the API server applies the failurePolicy. A
// body that is not an AdmissionReview is a bad request.
func Handler(validator harness.Backend) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			http.Error(w, "an AdmissionReview is sent by POST", http.StatusMethodNotAllowed)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, admission.MaxRequest))
		if long := (*http.MaxBytesError)(nil); errors.As(err, &long) {
			http.Error(w, fmt.Sprintf("the request has more than %d MiB", admission.MaxRequest>>20), http.StatusRequestEntityTooLarge)
			return
		}
		if err != nil {
			http.Error(w, "reading the request: "+err.Error(), http.StatusBadRequest)
			return
		}
		status := http.StatusOK
		answer, err := admission.Respond(r.Context(), validator, body)
		if fault := (*admission.NoVerdictError)(nil); errors.As(err, &fault) {
			status, answer, err = http.StatusInternalServerError, fault.Status(), nil
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(answer) // a disconnected client does not read an error either
	})
}
