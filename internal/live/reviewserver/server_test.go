package reviewserver_test

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	certutil "k8s.io/client-go/util/cert"

	"github.com/diffrun/diffrun/internal/live/reviewserver"
)

// certificate writes a certificate for a name, and returns the authorities that trust it. Files are replaced
// together, as in the volume of a Secret.
func certificate(t *testing.T, dir, name string) *x509.CertPool {
	t.Helper()
	cert, key, err := certutil.GenerateSelfSignedCertKey(name, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "tls.crt"), cert)
	write(t, filepath.Join(dir, "tls.key"), key)
	authorities := x509.NewCertPool()
	authorities.AppendCertsFromPEM(cert)
	return authorities
}

// write replaces a file.
func write(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file+".next", data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".next", file); err != nil {
		t.Fatal(err)
	}
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

// client returns a client that trusts a certificate for a name, and makes a new connection for each request.
func client(authorities *x509.CertPool, name string) *http.Client {
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: authorities, ServerName: name}, DisableKeepAlives: true, ForceAttemptHTTP2: true,
	}}
}

// TestRenewedCertificate: each connection uses the certificate that is then in the files. Invalid files
// change nothing, and are reported once.
func TestRenewedCertificate(t *testing.T) {
	dir := t.TempDir()
	old := certificate(t, dir, "old.example.com")
	var renewed, unreadable []string
	s, err := reviewserver.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Proto) }),
		reviewserver.Options{
			Address: "127.0.0.1:0", CertFile: filepath.Join(dir, "tls.crt"), KeyFile: filepath.Join(dir, "tls.key"),
			Renewed:    func(now *x509.Certificate) { renewed = append(renewed, now.DNSNames...) },
			Unreadable: func(err error) { unreadable = append(unreadable, err.Error()) },
		})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(step string, authorities *x509.CertPool, name string) {
		t.Helper()
		answer, err := client(authorities, name).Get("https://" + s.Address())
		if err != nil {
			t.Errorf("%s: %v", step, err)
			return
		}
		defer answer.Body.Close()
		if said, err := io.ReadAll(answer.Body); err != nil || string(said) != "HTTP/2.0" {
			t.Errorf("%s: %q, %v", step, said, err)
		}
	}
	ask("the first certificate", old, "old.example.com")
	ask("nothing changed", old, "old.example.com")
	now := certificate(t, dir, "new.example.com")
	ask("both files changed", now, "new.example.com")

	// As if the two files were written one after the other.
	key := filepath.Join(dir, "tls.key")
	is, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	write(t, key, []byte("half of it"))
	ask("the key is being written", now, "new.example.com")
	ask("it still is", now, "new.example.com")
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	ask("there is no key", now, "new.example.com")
	write(t, key, is)
	ask("the key is there again", now, "new.example.com")
	ask("the last certificate", certificate(t, dir, "last.example.com"), "last.example.com")
	if want := []string{"old.example.com", "new.example.com", "new.example.com", "last.example.com"}; !slices.Equal(renewed, want) {
		t.Errorf("renewed: %q, want %q", renewed, want)
	}
	if len(unreadable) != 2 || !strings.Contains(unreadable[0], "tls: failed to find any PEM data in key input") ||
		!strings.Contains(unreadable[1], "tls.key: no such file or directory") {
		t.Errorf("unreadable: %q", unreadable)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestCloseWaits: a running request gets its answer, and none begins after that.
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
		{"the key instead of the certificate", "127.0.0.1:0", "tls.key", "cannot be used"},
	} {
		_, err := reviewserver.Serve(http.NotFoundHandler(), reviewserver.Options{
			Address:  row.address,
			CertFile: filepath.Join(dir, row.cert),
			KeyFile:  filepath.Join(dir, "tls.key"),
		})
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v", row.why, err)
		}
	}
}
