package webhook_test

import (
	"crypto/tls"
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/native/webhook"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// server is a webhook on a loopback address that records what it sees of its clients.
type server struct {
	*httptest.Server
	requests    atomic.Int64
	connections atomic.Int64
	mu          sync.Mutex
	protocols   map[string]bool
}

// serve starts a webhook; without a TLS configuration it uses plain HTTP/1.
func serve(t *testing.T, handler http.Handler, security *tls.Config) *server {
	t.Helper()
	s := &server{protocols: map[string]bool{}}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		s.mu.Lock()
		s.protocols[r.Proto] = true
		s.mu.Unlock()
		handler.ServeHTTP(w, r)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // rejected handshakes are part of the tests
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.connections.Add(1)
		}
	}
	if security == nil {
		s.Start()
	} else {
		s.TLS, s.EnableHTTP2 = security, true
		s.StartTLS()
	}
	t.Cleanup(s.Close)
	return s
}

func newBackend(t *testing.T, options webhook.Options) *webhook.Backend {
	t.Helper()
	backend, err := webhook.New(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := backend.Close(); err != nil {
			t.Error(err)
		}
	})
	return backend
}

var configMap = corev1.SchemeGroupVersion.WithKind("ConfigMap")

// input is a config map, as a typed object; old may be nil.
func input(data, old map[string]string) *harness.Input {
	in := &harness.Input{
		Request: harness.Request{Version: configMap, Operation: admissionv1.Create},
		Object:  contract.NewView(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "c", Namespace: "n"}, Data: data}),
	}
	if old != nil {
		in.Operation = admissionv1.Update
		in.Old = contract.NewView(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "c", Namespace: "n"}, Data: old})
	}
	return in
}

// validate is the validator of all webhooks in the tests. Its errors have features that are hard to parse.
func validate(object, old *corev1.ConfigMap) field.ErrorList {
	var errs field.ErrorList
	data := field.NewPath("data")
	if object.Data["size"] == "" {
		errs = append(errs, field.Required(data.Key("size"), ""))
	}
	if strings.HasPrefix(object.Data["size"], "-") {
		errs = append(errs, field.Invalid(data.Key("size"), object.Data["size"], "must be positive, [not] \"negative\": a: b"))
	}
	if color, set := object.Data["color"]; set && color != "red, green: blue" {
		errs = append(errs, field.NotSupported(data.Key("color"), color, []string{"red, green: blue"}))
	}
	if old != nil && old.Data["size"] != object.Data["size"] {
		errs = append(errs, field.Invalid(data, object.Data, "field is immutable"))
	}
	return errs
}

// byHand is a webhook with net/http alone: it writes the text of the errors into the message of its response.
func byHand(w http.ResponseWriter, r *http.Request) {
	var review admissionv1.AdmissionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil || r.Header.Get("Content-Type") != "application/json" {
		http.Error(w, "no AdmissionReview", http.StatusBadRequest)
		return
	}
	object, old := &corev1.ConfigMap{}, (*corev1.ConfigMap)(nil)
	err := json.Unmarshal(review.Request.Object.Raw, object)
	if err == nil && review.Request.Operation == admissionv1.Update {
		old = &corev1.ConfigMap{}
		err = json.Unmarshal(review.Request.OldObject.Raw, old)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	response := &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true, Warnings: []string{"a warning"}}
	if errs := validate(object, old); len(errs) > 0 {
		response.Allowed = false
		response.Result = &metav1.Status{Message: errs.ToAggregate().Error()}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(admissionv1.AdmissionReview{TypeMeta: review.TypeMeta, Response: response})
}
