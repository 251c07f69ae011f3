package recorder

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	admissionv1 "k8s.io/api/admission/v1"
)

const review = `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1","request":{"operation":"CREATE",` +
	`"object":{"kind":"Widget"}}}`

// serve calls a handler as the instrumented code does.
func serve(w http.ResponseWriter, r *http.Request, handler http.HandlerFunc) {
	call := Serve(&Function{Name: "m.Serve"}, &w, r)
	defer call.Close()
	handler(w, r)
	call.End()
}

func answering(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
}

func TestServe(t *testing.T) {
	const allowed = `{"response":{"allowed":true}}`
	for _, tt := range []struct{ why, body, answer, skipped string }{
		{"a review", review, allowed, ""},
		{"space around it", "\n " + review + "\n", allowed + "\n", ""},
		{"no type", `{"request":{"operation":"CREATE"}}`, allowed, ""},
		{"no JSON", "name=x", allowed, NoReview},
		{"no body", "", allowed, NoReview},
		{"cut", `{"request":`, allowed, NoReview},
		{"a different kind", `{"kind":"Pod","request":{"operation":"CREATE"}}`, allowed, NoReview},
		{"a different group", `{"apiVersion":"v1","kind":"AdmissionReview","request":{"operation":"CREATE"}}`, allowed, NoReview},
		{"a text for an answer", review, "no", noAnswer},
		{"a review without a response", review, review, noAnswer},
		{"a patch", review, `{"response":{"allowed":true,"patch":"W10="}}`, patches},
	} {
		lines := recorded(t, func() {
			serve(httptest.NewRecorder(), httptest.NewRequest("POST", "/", strings.NewReader(tt.body)), answering(tt.answer))
		})
		if len(lines) != 1 || lines[0].Skipped != tt.skipped || (tt.skipped == "") != (lines[0].Response != nil) {
			t.Errorf("%s: %+v", tt.why, lines)
		}
	}
}

// TestBodies: a handler reads the same body as without the recorder.
func TestBodies(t *testing.T) {
	gone := errors.New("gone")
	for _, tt := range []struct {
		why  string
		body func() io.Reader
	}{
		{"a review", func() io.Reader { return strings.NewReader(review + " and more") }},
		{"byte by byte", func() io.Reader { return iotest.OneByteReader(strings.NewReader(" " + review)) }},
		{"the end comes with the data", func() io.Reader { return iotest.DataErrReader(strings.NewReader(review)) }},
		{"no JSON", func() io.Reader { return strings.NewReader(strings.Repeat("x", 5000)) }},
		{"space", func() io.Reader { return strings.NewReader(strings.Repeat(" ", 5000)) }},
		{"an error", func() io.Reader { return iotest.ErrReader(gone) }},
		{"an error after half a review",
			func() io.Reader { return io.MultiReader(strings.NewReader(review[:60]), iotest.ErrReader(gone)) }},
	} {
		want, wantErr := io.ReadAll(tt.body())
		var got []byte
		var gotErr error
		recorded(t, func() {
			serve(httptest.NewRecorder(), httptest.NewRequest("POST", "/", tt.body()), func(_ http.ResponseWriter, r *http.Request) {
				got, gotErr = io.ReadAll(r.Body)
			})
		})
		if string(got) != string(want) || !errors.Is(gotErr, wantErr) {
			t.Errorf("%s: %q, %v", tt.why, got, gotErr)
		}
	}
}

// Writers with the optional methods that some have.
type (
	plainWriter struct{ http.ResponseWriter }
	flushing    struct {
		http.ResponseWriter
		http.Flusher
	}
	hijacking struct {
		http.ResponseWriter
		http.Hijacker
	}
	both struct {
		http.ResponseWriter
		http.Flusher
		http.Hijacker
	}
	first struct {
		both
		closeNotifier
	}
	second struct {
		flushing
		http.Pusher
		closeNotifier
	}
	pushing struct {
		http.ResponseWriter
		http.Pusher
	}
)

// TestWriters: a handler finds the methods that its writer has, and no others.
func TestWriters(t *testing.T) {
	has := func(w http.ResponseWriter) (found [4]bool) {
		_, found[0] = w.(http.Flusher)
		_, found[1] = w.(http.Hijacker)
		_, found[2] = w.(http.Pusher)
		_, found[3] = w.(closeNotifier)
		return found
	}
	under := httptest.NewRecorder()
	for _, w := range []http.ResponseWriter{
		plainWriter{under},
		flushing{ResponseWriter: under},
		hijacking{ResponseWriter: under},
		both{ResponseWriter: under},
		first{both: both{ResponseWriter: under}},
		second{flushing: flushing{ResponseWriter: under}},
		pushing{ResponseWriter: under},
	} {
		lines := recorded(t, func() {
			serve(w, httptest.NewRequest("POST", "/", strings.NewReader(review)), func(given http.ResponseWriter, _ *http.Request) {
				if has(given) != has(w) {
					t.Errorf("%T: %v became %v", w, has(w), has(given))
				}
				_, _ = given.Write([]byte(`{"response":{"allowed":false}}`))
			})
		})
		_, pushes := w.(pushing)
		if pushes != strings.HasSuffix(lines[0].Skipped, "has methods that cannot be kept") || !pushes &&
			string(lines[0].Response) != `{"response":{"allowed":false}}` {
			t.Errorf("%T: %+v", w, lines[0])
		}
	}
}

// TestPatches: handlers that change objects return no verdict, whichever type the response has.
func TestPatches(t *testing.T) {
	type response struct {
		Patches                       []int `json:"-"`
		admissionv1.AdmissionResponse `json:",inline"`
	}
	f := &Function{Name: "m.Handle", Parameters: []string{"req"}, Handler: true}
	for _, result := range []any{
		&admissionv1.AdmissionResponse{Patch: []byte("[]")},
		&admissionv1.AdmissionReview{Response: &admissionv1.AdmissionResponse{Patch: []byte("[]")}},
		response{Patches: []int{1}},
	} {
		lines := recorded(t, func() {
			call := Start(f, admissionv1.AdmissionRequest{Operation: "CREATE"})
			defer call.Close()
			call.End(result)
		})
		if lines[0].Skipped != patches {
			t.Errorf("%T: %+v", result, lines[0])
		}
	}
}
