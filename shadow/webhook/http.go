package webhook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"

	reviews "github.com/diffrun/diffrun/internal/admission"
	"github.com/diffrun/diffrun/shadow"
)

// HTTPHandler puts a Shadow around a handler of AdmissionReviews (admission.k8s.io, v1 or
// v1beta1). Requests that are not an AdmissionReview, or are larger than admission.MaxRequest, go to the
// handler only.
func HTTPHandler(s *shadow.Shadow, handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, reviews.MaxRequest+1))
		rest := r.Body
		r.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(body), &failing{rest, err}), rest}
		asked := review(body)
		if err != nil || len(body) > reviews.MaxRequest || asked == nil || asked.Request == nil {
			handler.ServeHTTP(w, r)
			return
		}
		answer := &answer{header: http.Header{}}
		began := time.Now()
		handler.ServeHTTP(answer, r)
		answer.compare(r, s, asked, time.Since(began))
		answer.write(w)
	})
}

// failing returns the rest of a body, or the error that ended reading it.
type failing struct {
	rest io.Reader
	err  error
}

func (f *failing) Read(p []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return f.rest.Read(p)
}

// review reads an AdmissionReview of any version, or returns nil.
func review(text []byte) *admissionv1.AdmissionReview {
	var review admissionv1.AdmissionReview
	if err := json.Unmarshal(text, &review); err != nil || review.Kind != "AdmissionReview" ||
		!strings.HasPrefix(review.APIVersion, admissionv1.GroupName+"/") {
		return nil
	}
	return &review
}

// answer keeps the answer of a handler until the schema was asked.
type answer struct {
	header http.Header
	status int // 0: none was written, which means 200
	body   bytes.Buffer
}

func (a *answer) Header() http.Header { return a.header }

// WriteHeader keeps the first status that is not informational, as a server does.
func (a *answer) WriteHeader(status int) {
	if status >= http.StatusOK {
		a.status = cmp.Or(a.status, status)
	}
}

func (a *answer) Write(text []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(text)
}

// compare compares the schema with an answer, if it is a review.
func (a *answer) compare(r *http.Request, s *shadow.Shadow, asked *admissionv1.AdmissionReview, took time.Duration) {
	answered := review(a.body.Bytes())
	if a.status > http.StatusPartialContent || answered == nil || answered.Response == nil { // the API server takes 200 to 206
		return
	}
	again := compare(r.Context(), s, asked.Request, answered.Response, took)
	if again == nil {
		return
	}
	answered.Response = again
	if text, err := json.Marshal(answered); err == nil {
		a.body.Reset()
		a.body.Write(text)
		a.header.Set("Content-Length", strconv.Itoa(len(text)))
	}
}

// write sends the answer.
func (a *answer) write(w http.ResponseWriter) {
	maps.Copy(w.Header(), a.header)
	w.WriteHeader(cmp.Or(a.status, http.StatusOK))
	_, _ = w.Write(a.body.Bytes()) // the client may be gone; a handler cannot do anything about it
}
