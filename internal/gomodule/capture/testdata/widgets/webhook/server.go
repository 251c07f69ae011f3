package webhook

import (
	"encoding/json"
	"io"
	"net/http"
	"sync"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Server has a handler of admission reviews over HTTP.
type Server struct {
	Deny  bool
	Next  func()
	locks *sync.Mutex
}

// ServeHTTP answers an AdmissionReview. Anything else is a bad request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(r.Body)
	var review admissionv1.AdmissionReview
	if err != nil || json.Unmarshal(data, &review) != nil || review.Request == nil {
		http.Error(w, "no review: "+string(data), http.StatusBadRequest)
		return
	}
	answer(w, review, !s.Deny)
}

func answer(w http.ResponseWriter, review admissionv1.AdmissionReview, allowed bool) {
	review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: allowed}
	if !allowed {
		review.Response.Result = &metav1.Status{Message: "spec.size: Invalid value: 3: too big"}
	}
	review.Request = nil
	w.Header().Set("Content-Type", "application/json")
	if f, flushes := w.(http.Flusher); flushes {
		f.Flush()
	}
	_ = json.NewEncoder(w).Encode(review)
}

// New makes handlers: one of reviews, and one that is none.
func New() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/validate", func(w http.ResponseWriter, r *http.Request) {
		var review admissionv1.AdmissionReview
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			panic(err)
		}
		_, hijacks := w.(http.Hijacker)
		answer(w, review, hijacks)
	})
	mux.HandleFunc("/health", health)
	return mux
}

func health(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }
