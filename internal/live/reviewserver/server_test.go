package reviewserver_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	certutil "k8s.io/client-go/util/cert"

	"github.com/diffrun/diffrun/internal/live/reviewserver"
)

// certificate writes a certificate for a name, and gives the authorities that trust it. Files
// are replaced at once, as the volume of a Secret is.
func certificate(t *testing.T, dir, name string) *x509.CertPool {
	t.Helper()
	cert, key, err := certutil.GenerateSelfSignedCertKey(name, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for file, data := range map[string][]byte{"tls.crt": cert, "tls.key": key} {
		next := filepath.Join(dir, file+".next")
		if err := os.WriteFile(next, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(next, filepath.Join(dir, file)); err != nil {
			t.Fatal(err)
		}
	}
	authorities := x509.NewCertPool()
	authorities.AppendCertsFromPEM(cert)
	return authorities
}

func serve(t *testing.T, dir string, handler http.Handler) *reviewserver.Server {
	t.Helper()
	s, err := reviewserver.Serve(handler, reviewserver.Options{
		Address: "127.0.0.1:0", CertFile: filepath.Join(dir, "tls.crt"), KeyFile: filepath.Join(dir, "tls.key"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// client trusts a certificate for a name, and makes a new connection for each request.
func client(authorities *x509.CertPool, name string) *http.Client {
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: authorities, ServerName: name}, DisableKeepAlives: true, ForceAttemptHTTP2: true,
	}}
}

// TestRenewedCertificate: each connection has the certificate that the files have by then.
func TestRenewedCertificate(t *testing.T) {
	dir := t.TempDir()
	old := certificate(t, dir, "old.example.com")
	s := serve(t, dir, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Proto) }))
	ask := func(c *http.Client) (string, error) {
		answer, err := c.Get("https://" + s.Address())
		if err != nil {
			return "", err
		}
		defer answer.Body.Close()
		said, err := io.ReadAll(answer.Body)
		return string(said), err
	}
	if protocol, err := ask(client(old, "old.example.com")); err != nil || protocol != "HTTP/2.0" {
		t.Fatalf("%q, %v", protocol, err)
	}
	renewed := client(certificate(t, dir, "new.example.com"), "new.example.com")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, err := ask(renewed); err != nil; _, err = ask(renewed) {
		if ctx.Err() != nil {
			t.Fatalf("the new certificate is not used: %v", err)
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := s.Close(ctx); err != nil {
		t.Error(err)
	}
}

// TestCloseWaits: a request under way gets its answer, and none begins after that.
func TestCloseWaits(t *testing.T) {
	dir := t.TempDir()
	authorities := certificate(t, dir, "a.example.com")
	asked, goOn := make(chan struct{}), make(chan struct{})
	s := serve(t, dir, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { close(asked); <-goOn }))
	var answered sync.WaitGroup
	answered.Go(func() {
		answer, err := client(authorities, "a.example.com").Get("https://" + s.Address())
		if err != nil {
			t.Errorf("the request under way failed: %v", err)
			return
		}
		answer.Body.Close()
	})
	<-asked
	closed := make(chan error)
	go func() { closed <- s.Close(t.Context()) }()
	<-s.Ended()
	close(goOn)
	if err := <-closed; err != nil {
		t.Error(err)
	}
	answered.Wait()
	if answer, err := client(authorities, "a.example.com").Get("https://" + s.Address()); err == nil {
		answer.Body.Close()
		t.Error("it serves on after Close")
	}
}

func TestUnusable(t *testing.T) {
	dir := t.TempDir()
	certificate(t, dir, "a.example.com")
	for _, row := range []struct{ why, address, cert, want string }{
		{"no port", "localhost", "tls.crt", `cannot serve on "localhost"`},
		{"no certificate", "127.0.0.1:0", "none.crt", "none.crt"},
		{"the key in place of the certificate", "127.0.0.1:0", "tls.key", "cannot be used"},
	} {
		_, err := reviewserver.Serve(http.NotFoundHandler(), reviewserver.Options{Address: row.address, CertFile: filepath.Join(dir, row.cert), KeyFile: filepath.Join(dir, "tls.key")})
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v", row.why, err)
		}
	}
}
