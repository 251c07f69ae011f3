package reviewserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/diffrun/diffrun/internal/admission"
	"github.com/diffrun/diffrun/internal/live/counters"
	"github.com/diffrun/diffrun/internal/live/reviewserver"
	"github.com/diffrun/diffrun/metrics"
)

// server is a handler with its queue and its collectors.
type server struct {
	reviewserver.Handler
	all *counters.Counters
}

func newServer(queue int64) *server {
	queued, all := reviewserver.NewQueue(queue), counters.New(metrics.New())
	return &server{reviewserver.Handler{Queue: queued, Requests: all.Requests(queued.Bytes)}, all}
}

// ask sends a body, and returns the status and the body of the answer.
func (s *server) ask(method string, body io.Reader) (int, string) {
	recorder := httptest.NewRecorder()
	s.ServeHTTP(recorder, httptest.NewRequest(method, "/any/path", body))
	return recorder.Code, recorder.Body.String()
}

// counted compares the counters of requests with lines such as `requests_total{code="200"} 1`.
func (s *server) counted(t *testing.T, want ...string) {
	t.Helper()
	families, err := s.all.Gatherer().Gather()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			if value := metric.GetCounter().GetValue(); value > 0 {
				label := metric.GetLabel()[0]
				got = append(got, fmt.Sprintf("%s{%s=%q} %g", strings.TrimPrefix(family.GetName(), "apiserver_declarative_validation_"),
					label.GetName(), label.GetValue(), value))
			}
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("counted %q, want %q", got, want)
	}
}

// review returns a review as the API server writes it, with an object of this size.
func review(t *testing.T, version, uid string, size int) []byte {
	t.Helper()
	raw := fmt.Appendf(nil, `{"apiVersion":"v1","kind":"ConfigMap","data":{"a":%q}}`, strings.Repeat("x", size))
	body, err := json.Marshal(admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: version, Kind: "AdmissionReview"},
		Request:  &admissionv1.AdmissionRequest{UID: "uid-" + "1", Operation: admissionv1.Create, Object: runtime.RawExtension{Raw: raw}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Replace(body, []byte("uid-1"), []byte(uid), 1)
}

func TestAnswers(t *testing.T) {
	v1 := review(t, "admission.k8s.io/v1", "a", 10)
	for _, row := range []struct {
		why    string
		method string
		body   io.Reader
		status int
		says   string
		counts []string
	}{
		{"a review is allowed", http.MethodPost, bytes.NewReader(v1), 200,
			`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"a","allowed":true}}`,
			[]string{`requests_total{code="200"} 1`}},
		{"a webhook configuration may ask for the old version", http.MethodPost,
			bytes.NewReader(review(t, "admission.k8s.io/v1beta1", "b", 10)), 200,
			`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1","response":{"uid":"b","allowed":true}}`,
			[]string{`requests_total{code="200"} 1`}},
		{"a review without a Content-Length", http.MethodPost, io.MultiReader(bytes.NewReader(v1)), 200, `"uid":"a","allowed":true`,
			[]string{`requests_total{code="200"} 1`}},
		{"too large to be kept: the API server writes the uid first", http.MethodPost,
			bytes.NewReader(review(t, "admission.k8s.io/v1", "large", admission.MaxRequest)), 200,
			`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"large","allowed":true}}`,
			[]string{`requests_total{code="200"} 1`, `skipped_total{reason="body"} 1`}},
		{"too large, without a Content-Length", http.MethodPost,
			io.MultiReader(bytes.NewReader(review(t, "admission.k8s.io/v1", "large", admission.MaxRequest))), 200,
			`"uid":"large","allowed":true`,
			[]string{`requests_total{code="200"} 1`, `skipped_total{reason="body"} 1`}},
		{"too large, and of a different form", http.MethodPost,
			strings.NewReader(`{"request":{"object":"` + strings.Repeat("x", admission.MaxRequest)), 413,
			"the first 64 KiB of the request have no uid: ", []string{`requests_total{code="413"} 1`}},
		{"no JSON", http.MethodPost, strings.NewReader("none"), 400, "the request is not an AdmissionReview: ",
			[]string{`requests_total{code="400"} 1`}},
		{"cut off", http.MethodPost, bytes.NewReader(v1[:len(v1)-3]), 400, "the request is not an AdmissionReview: ",
			[]string{`requests_total{code="400"} 1`}},
		{"of a different kind", http.MethodPost, strings.NewReader(`{"apiVersion":"v1","kind":"Pod"}`), 400,
			`the request is of apiVersion "v1" and kind "Pod"; accepted: AdmissionReview of [admission.k8s.io/v1 admission.k8s.io/v1beta1]`,
			[]string{`requests_total{code="400"} 1`}},
		{"an answer, not a request", http.MethodPost,
			strings.NewReader(`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{}}`), 400,
			"the AdmissionReview has no request with a uid", []string{`requests_total{code="400"} 1`}},
		{"empty", http.MethodPost, strings.NewReader(""), 400, "the request is not an AdmissionReview: ",
			[]string{`requests_total{code="400"} 1`}},
		{"a browser", http.MethodGet, nil, 405, "an AdmissionReview is sent by POST", []string{`requests_total{code="405"} 1`}},
	} {
		t.Run(row.why, func(t *testing.T) {
			s := newServer(64 << 20)
			status, says := s.ask(row.method, row.body)
			if status != row.status || !strings.Contains(says, row.says) {
				t.Errorf("status %d, want %d; it says %s, want %s", status, row.status, says, row.says)
			}
			s.counted(t, row.counts...)
			queued := 0
			if status == 200 && len(row.counts) == 1 {
				queued = 1
			}
			if left := s.Queue.Left(); left != queued || s.Queue.Bytes() != 0 {
				t.Errorf("%d reviews were queued, want %d; %d bytes are in use after all are taken out", left, queued, s.Queue.Bytes())
			}
		})
	}
}

// TestFullQueue: a request that does not fit into the queue is allowed at once and counted.
func TestFullQueue(t *testing.T) {
	const requests = 40
	s := newServer(reviewserver.SmallestQueue)
	for i := range requests {
		status, says := s.ask(http.MethodPost, bytes.NewReader(review(t, "admission.k8s.io/v1", fmt.Sprint(i), 100<<10)))
		if want := fmt.Sprintf(`"uid":"%d","allowed":true`, i); status != http.StatusOK || !strings.Contains(says, want) {
			t.Fatalf("request %d: status %d, %s", i, status, says)
		}
		if used := s.Queue.Bytes(); used > reviewserver.SmallestQueue {
			t.Fatalf("%d bytes wait, more than there is room for", used)
		}
	}
	s.counted(t, `requests_total{code="200"} 40`, `skipped_total{reason="queue"} 30`)
	if left := s.Queue.Left(); left != 10 {
		t.Errorf("%d reviews wait, want 10", left)
	}
}

// TestClosedQueue: requests are allowed while the program ends.
func TestClosedQueue(t *testing.T) {
	s := newServer(reviewserver.SmallestQueue)
	s.Queue.Close()
	if status, says := s.ask(http.MethodPost, bytes.NewReader(review(t, "admission.k8s.io/v1", "late", 10))); status != http.StatusOK {
		t.Errorf("status %d: %s", status, says)
	}
	s.counted(t, `requests_total{code="200"} 1`, `skipped_total{reason="stop"} 1`)
	if used := s.Queue.Bytes(); used != 0 {
		t.Errorf("%d bytes are in use", used)
	}
}

// broken is a body that panics.
type broken struct{}

func (broken) Read([]byte) (int, error) { panic("broken") }

// TestPanic: a panic has an answer, and its place in the queue is freed.
func TestPanic(t *testing.T) {
	s := newServer(reviewserver.SmallestQueue)
	request := httptest.NewRequest(http.MethodPost, "/", broken{})
	request.ContentLength = 5000
	recorder := httptest.NewRecorder()
	s.ServeHTTP(recorder, request)
	if recorder.Code != http.StatusInternalServerError {
		t.Errorf("status %d", recorder.Code)
	}
	s.counted(t, `requests_total{code="500"} 1`)
	if used := s.Queue.Bytes(); used != 0 {
		t.Errorf("%d bytes are in use", used)
	}
}

func TestLint(t *testing.T) {
	s := newServer(reviewserver.SmallestQueue)
	s.ask(http.MethodGet, nil)
	problems, err := testutil.GatherAndLint(s.all.Gatherer())
	if err != nil || len(problems) > 0 {
		t.Errorf("%v %v", problems, err)
	}
}
