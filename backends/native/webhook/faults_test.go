package webhook_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/diffrun/diffrun/backends/native/webhook"
	ours "github.com/diffrun/diffrun/internal/admission"
)

var sizeIsRequired = field.ErrorList{field.Required(field.NewPath("data").Key("size"), "")}

// An invalid answer is a fault, and the request is not repeated.
func TestFaults(t *testing.T) {
	for _, tc := range []struct {
		why     string
		handler http.HandlerFunc
		says    string
	}{
		{"an HTTP status, with the beginning of the body", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, strings.Repeat("no room. ", 100), http.StatusServiceUnavailable)
		}, ` answered with HTTP status 503 Service Unavailable: "no room. no room.`},
		{"a different page", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/login", http.StatusFound)
		}, " answered with HTTP status 302 Found"},
		{"no JSON", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("<html>hello"))
		}, `/: the response is not an AdmissionReview: invalid character '<' looking for beginning of value; it begins with "<html>hello"`},
		{"the answer to a different request", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"x","allowed":true}}`))
		}, `the response has the uid "x"; the request had "`},
		{"more than anybody needs", func(w http.ResponseWriter, _ *http.Request) {
			for range ours.MaxResponse>>16 + 2 {
				_, _ = w.Write(make([]byte, 1<<16))
			}
		}, " answered with more than 16 MiB"},
		{"it hangs", func(_ http.ResponseWriter, r *http.Request) { hang(r) }, "context deadline exceeded"},
		{"it hangs within its answer", func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
			hang(r)
		}, "reading the response: context deadline exceeded"},
		{"an allowed object with an HTTP error status", func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusInternalServerError)
			byHand(w, r)
		}, " answered with HTTP status 500 Internal Server Error"},
	} {
		t.Run(tc.why, func(t *testing.T) {
			server := serve(t, tc.handler, nil)
			backend := newBackend(t, webhook.Options{URL: server.URL + "/"})
			ctx, cancel := context.WithTimeout(t.Context(), timeoutOf(tc.says))
			defer cancel()
			errs, err := backend.Validate(ctx, input(nil, nil))
			if err == nil || errs != nil || !strings.Contains(err.Error(), tc.says) || !strings.Contains(err.Error(), server.URL) {
				t.Errorf("errors %v, fault %v; want %q and the URL", errs, err, tc.says)
			}
			if got := server.requests.Load(); got != 1 {
				t.Errorf("asked %d times", got)
			}
		})
	}
}

// controller-runtime recovers from a panic of the validator, and the API server rejects the object.
func TestRecoveredPanic(t *testing.T) {
	server := serve(t, admission.WithValidator(clientgoscheme.Scheme, panics{}), nil)
	errs, fault := newBackend(t, webhook.Options{URL: server.URL + "/"}).Validate(t.Context(), input(nil, nil))
	if fault != nil || len(errs) != 1 || errs[0].Detail != "panic: oh [recovered]" || errs[0].Origin != "admission/panic" {
		t.Errorf("errors %v, fault %v", errs, fault)
	}
}

// hang waits until the client closes the connection, which a server only notices once it has read the
// request.
func hang(r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

// timeoutOf is short for servers that never answer, and otherwise long enough for a slow machine.
func timeoutOf(says string) time.Duration {
	if strings.Contains(says, "deadline") {
		return 200 * time.Millisecond
	}
	return time.Minute
}

type panics struct{ invalid }

func (panics) ValidateCreate(context.Context, *corev1.ConfigMap) (admission.Warnings, error) {
	panic("oh")
}

// After a broken connection the request is repeated, but not forever if there is no webhook.
func TestConnections(t *testing.T) {
	ca := newAuthority(t)
	for name, security := range map[string]*tls.Config{"HTTP/1": nil, "HTTP/2": ca.serverConfig("127.0.0.1")} {
		t.Run(name, func(t *testing.T) {
			var breaks atomic.Int64
			server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if breaks.Add(-1) >= 0 {
					panic(http.ErrAbortHandler)
				}
				byHand(w, r)
			}), security)
			options := webhook.Options{URL: server.URL}
			if security != nil {
				options.CAFile = ca.file
			}
			backend := newBackend(t, options)
			if security == nil {
				breaks.Store(2)
			}
			check(t, backend, input(nil, nil), sizeIsRequired)
			server.CloseClientConnections()
			check(t, backend, input(nil, nil), sizeIsRequired)
			server.Close()
			for i, times := range []string{"tried [23] times: ", "tried 4 times: "} { // as long as there is time, then briefly
				ctx, cancel := context.WithTimeout(t.Context(), []time.Duration{600 * time.Millisecond, time.Minute}[i])
				defer cancel()
				errs, err := backend.Validate(ctx, input(nil, nil))
				if err == nil || errs != nil || !regexp.MustCompile(times).MatchString(err.Error()) ||
					!strings.Contains(err.Error(), "connection refused") {
					t.Errorf("errors %v, fault %v; want %s", errs, err, times)
				}
			}
		})
	}
}

// If a webhook has answered before and breaks on a case, it is running: the backend does not wait for it as
// for one that restarts.
func TestBreaksOverACase(t *testing.T) {
	var breaks atomic.Bool
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if breaks.Load() {
			panic(http.ErrAbortHandler)
		}
		byHand(w, r)
	}), nil)
	backend := newBackend(t, webhook.Options{URL: server.URL})
	check(t, backend, input(nil, nil), sizeIsRequired)
	breaks.Store(true)
	for range 2 {
		if errs, err := backend.Validate(t.Context(), input(nil, nil)); err == nil || errs != nil ||
			!strings.HasPrefix(err.Error(), "tried 4 times: ") {
			t.Errorf("errors %v, fault %v; want 4 attempts", errs, err)
		}
	}
	breaks.Store(false)
	check(t, backend, input(nil, nil), sizeIsRequired)
}

// If nothing ever listens, a few cases wait for the webhook and later ones do not; once it starts, it is
// found.
func TestNobodyThere(t *testing.T) {
	gone := serve(t, http.HandlerFunc(byHand), nil)
	address := gone.Listener.Addr().String()
	gone.Close()
	backend := newBackend(t, webhook.Options{URL: gone.URL})
	for i, says := range []string{
		"tried 4 times: ",
		"tried 4 times: ",
		"tried 4 times: ",
		"nothing listened there for the last cases either; tried once: ",
		"nothing listened there for the last cases either; tried once: ",
	} {
		if errs, err := backend.Validate(t.Context(), input(nil, nil)); err == nil || errs != nil || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("case %d: errors %v, fault %v; want %s", i, errs, err, says)
		}
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	come := &http.Server{Handler: http.HandlerFunc(byHand)}
	served := make(chan error)
	go func() { served <- come.Serve(listener) }()
	check(t, backend, input(nil, nil), sizeIsRequired)
	if err := come.Close(); err != nil {
		t.Error(err)
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
}

// A webhook that restarts is waited for and used again: cases in the meantime are not lost.
func TestStartedAgain(t *testing.T) {
	ca := newAuthority(t)
	security := ca.serverConfig("127.0.0.1")
	first := serve(t, http.HandlerFunc(byHand), security)
	address := first.Listener.Addr().String()
	backend := newBackend(t, webhook.Options{URL: first.URL, CAFile: ca.file})
	check(t, backend, input(nil, nil), sizeIsRequired)
	first.Close()
	var waiting sync.WaitGroup
	for range 5 {
		waiting.Go(func() { check(t, backend, input(nil, nil), sizeIsRequired) })
	}
	time.Sleep(1500 * time.Millisecond) // longer than the wait for a webhook that was never there
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	again := &http.Server{Handler: http.HandlerFunc(byHand), TLSConfig: security}
	served := make(chan error)
	go func() { served <- again.ServeTLS(listener, "", "") }()
	check(t, backend, input(nil, nil), sizeIsRequired)
	waiting.Wait()
	if err := again.Close(); err != nil {
		t.Error(err)
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
}

// Which clients and servers may connect over TLS. If certificates forbid it, there is no second attempt.
func TestCertificates(t *testing.T) {
	ca, other := newAuthority(t), newAuthority(t)
	certFile, keyFile := ca.issue("diffrun")
	foreignCert, foreignKey := other.issue("diffrun")
	mutual := ca.serverConfig("127.0.0.1")
	mutual.ClientAuth, mutual.ClientCAs = tls.RequireAndVerifyClientCert, ca.pool()
	for _, tc := range []struct {
		why      string
		security *tls.Config
		options  webhook.Options
		says     string // empty: it works
	}{
		{"the CA is known", ca.serverConfig("127.0.0.1"), webhook.Options{CAFile: ca.file}, ""},
		{"the CA is unknown to the system", ca.serverConfig("127.0.0.1"), webhook.Options{},
			"x509: certificate signed by unknown authority"},
		{"a different CA", ca.serverConfig("127.0.0.1"), webhook.Options{CAFile: other.file},
			"x509: certificate signed by unknown authority"},
		{"a certificate for a different name", ca.serverConfig("webhook.ns.svc"), webhook.Options{CAFile: ca.file},
			"x509: cannot validate certificate for 127.0.0.1"},
		{"the name is given", ca.serverConfig("webhook.ns.svc"), webhook.Options{CAFile: ca.file, ServerName: "webhook.ns.svc"}, ""},
		{"the client has a certificate", mutual, webhook.Options{CAFile: ca.file, CertFile: certFile, KeyFile: keyFile}, ""},
		// With TLS 1.3 a client is rejected after its handshake: whether it sees the reason or a broken
		// connection depends on timing.
		{"the client has none", mutual, webhook.Options{CAFile: ca.file}, `Post "https://127.0.0.1:`},
		{"the client has one of a different CA", mutual, webhook.Options{CAFile: ca.file, CertFile: foreignCert, KeyFile: foreignKey},
			`Post "https://127.0.0.1:`},
	} {
		t.Run(tc.why, func(t *testing.T) {
			server := serve(t, http.HandlerFunc(byHand), tc.security.Clone())
			tc.options.URL = server.URL
			backend := newBackend(t, tc.options)
			if tc.says == "" {
				check(t, backend, input(nil, nil), sizeIsRequired)
				return
			}
			errs, err := backend.Validate(t.Context(), input(nil, nil))
			if err == nil || errs != nil || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("errors %v, fault %v", errs, err)
			}
			if got := server.requests.Load(); got != 0 {
				t.Errorf("%d requests came through", got)
			}
			if got := server.connections.Load(); strings.HasPrefix(tc.says, "x509") && got != 1 {
				t.Errorf("tried over %d connections", got)
			}
		})
	}
}

// The token is read again for each request.
func TestToken(t *testing.T) {
	var seen []string
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Get("Authorization"))
		byHand(w, r)
	}), nil)
	file := filepath.Join(t.TempDir(), "token")
	write(t, file, "first\n")
	backend := newBackend(t, webhook.Options{URL: server.URL, TokenFile: file})
	check(t, backend, input(nil, nil), sizeIsRequired)
	write(t, file, "second\n")
	check(t, backend, input(nil, nil), sizeIsRequired)
	if got := strings.Join(seen, ", "); got != "Bearer first, Bearer second" {
		t.Errorf("sent %s", got)
	}
	write(t, file, "")
	if _, err := backend.Validate(t.Context(), input(nil, nil)); err == nil || !strings.Contains(err.Error(), "has no token") {
		t.Errorf("fault %v", err)
	}
}

func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestNewMistakes(t *testing.T) {
	ca := newAuthority(t)
	certFile, keyFile := ca.issue("diffrun")
	empty := filepath.Join(t.TempDir(), "empty")
	write(t, empty, "")
	for _, tc := range []struct {
		why     string
		options webhook.Options
		says    []string
	}{
		{"no URL", webhook.Options{}, []string{"url is missing"}},
		{"no scheme", webhook.Options{URL: "localhost:9443/validate"},
			[]string{`url "localhost:9443/validate" is not the URL of a webhook; accepted: http or https, host and path`}},
		{"a different scheme", webhook.Options{URL: "ftp://localhost/"}, []string{`url "ftp://localhost/" is not the URL of a webhook`}},
		{"no URL at all", webhook.Options{URL: "https://%"},
			[]string{`url "https://%" is not the URL of a webhook; accepted: http or https`}},
		{"no scheme", webhook.Options{URL: "127.0.0.1:9443/validate"},
			[]string{`url "127.0.0.1:9443/validate" is not the URL of a webhook; accepted: http or https`}},
		{"a password in the URL", webhook.Options{URL: "https://me:secret@localhost/"},
			[]string{"url has a password, which would show in reports"}},
		{"certificates without TLS", webhook.Options{URL: "http://localhost/", CAFile: ca.file},
			[]string{`need an https url; this one is "http://localhost/"`}},
		{"half a client certificate", webhook.Options{URL: "https://localhost/", CertFile: certFile}, []string{"certFile needs a keyFile"}},
		{"the other half", webhook.Options{URL: "https://localhost/", KeyFile: keyFile}, []string{"keyFile needs a certFile"}},
		{
			"all at once",
			webhook.Options{URL: "https://", CAFile: empty, CertFile: keyFile, KeyFile: certFile, TokenFile: empty},
			[]string{
				`url "https://" is not the URL of a webhook`,
				"caFile: " + empty + " has no certificate in PEM",
				"certFile and keyFile: tls: failed to find",
				"tokenFile: " + empty + " has no token",
			},
		},
		{"files that are not there", webhook.Options{URL: "https://localhost/", CAFile: empty + "1", TokenFile: empty + "2"},
			[]string{"caFile: open " + empty + "1: ", "tokenFile: open " + empty + "2: "}},
	} {
		t.Run(tc.why, func(t *testing.T) {
			_, err := webhook.New(tc.options)
			if err == nil {
				t.Fatal("no error")
			}
			for _, says := range tc.says {
				if !strings.Contains(err.Error(), says) {
					t.Errorf("the error does not say %q:\n%v", says, err)
				}
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("the error shows the password: %v", err)
			}
		})
	}
}
