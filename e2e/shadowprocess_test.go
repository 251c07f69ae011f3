package e2e_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	certutil "k8s.io/client-go/util/cert"
)

// shadow is a "diffrun shadow" that may be killed and started again.
type shadow struct {
	dir string
	// address is the webhook's, plain is that of the metrics.
	address, plain string
	// authorities trusts all certificates that the shadow uses in turn, PEM.
	authorities []byte
	next        [][2][]byte // certificates and keys to come
	current     []byte      // the last written certificate, PEM
	cmd         *exec.Cmd
	said        chan string // stderr, when it ended
}

// newShadow makes the folder of a shadow, with suites for ConfigMaps and tickets and with a
// certificate.
func newShadow(t *testing.T) *shadow {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &shadow{dir: t.TempDir(), address: listener.Addr().String()}
	listener.Close()
	here, err := filepath.Abs("testdata/shadow")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(s.dir, "tickets.yaml"), fmt.Sprintf("name: tickets\nnative: {crd: %q}\ndeclarative: {crd: %q}\n",
		filepath.Join(here, "today.yaml"), filepath.Join(here, "next.yaml")))
	write(t, filepath.Join(s.dir, "live.yaml"), "name: live\nnative: {builtin: kubernetes}\ndeclarative: {builtin: kubernetes}\n")
	for range 2 {
		certificate, key, err := certutil.GenerateSelfSignedCertKey("127.0.0.1", []net.IP{net.IPv4(127, 0, 0, 1)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.next = append(s.next, [2][]byte{certificate, key})
		s.authorities = append(s.authorities, certificate...)
	}
	s.certify(t)
	return s
}

// certify writes the next certificate.
func (s *shadow) certify(t *testing.T) {
	t.Helper()
	for i, name := range []string{"tls.crt", "tls.key"} {
		file := filepath.Join(s.dir, name)
		write(t, file+".next", string(s.next[0][i]))
		if err := os.Rename(file+".next", file); err != nil {
			t.Fatal(err)
		}
	}
	s.current, s.next = s.next[0][0], s.next[1:]
}

// untilRenewed waits until new connections use the last written certificate.
func (s *shadow) untilRenewed(t *testing.T) {
	t.Helper()
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(s.authorities)
	block, _ := pem.Decode(s.current)
	err := wait.PollUntilContextTimeout(t.Context(), 100*time.Millisecond, time.Minute, true, func(context.Context) (bool, error) {
		connection, err := tls.Dial("tcp", s.address, &tls.Config{RootCAs: trusted})
		if err != nil {
			return false, err
		}
		defer connection.Close()
		return connection.ConnectionState().PeerCertificates[0].Equal(leaf(t, block.Bytes)), nil
	})
	if err != nil {
		t.Errorf("the new certificate is not used: %v", err)
	}
}

func leaf(t *testing.T, der []byte) *x509.Certificate {
	t.Helper()
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return certificate
}

// start starts the shadow, and waits until it serves.
func (s *shadow) start(t *testing.T) {
	t.Helper()
	s.cmd = exec.Command(filepath.Join(*binaries, "diffrun"), "shadow", "--addr", s.address, "--metrics-addr", "127.0.0.1:0",
		"--tls-cert-file", "tls.crt", "--tls-private-key-file", "tls.key", "--folder", "found", "live.yaml", "tickets.yaml")
	s.cmd.Dir = s.dir
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.kill)
	var said strings.Builder
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		said.WriteString(lines.Text() + "\n")
		if found := regexp.MustCompile(`http://([^/]+)/metrics`).FindStringSubmatch(lines.Text()); found != nil {
			s.plain = found[1]
			break
		}
	}
	s.said = make(chan string, 1)
	go func() {
		for lines.Scan() {
			said.WriteString(lines.Text() + "\n")
		}
		s.said <- said.String()
	}()
	if s.plain == "" {
		t.Fatalf("the shadow does not say where it serves:\n%s", <-s.said)
	}
}

// kill ends the shadow as a crash does.
func (s *shadow) kill() {
	if s.cmd.ProcessState == nil {
		_ = s.cmd.Process.Kill()
		<-s.said
		_ = s.cmd.Wait() // it was killed
	}
}

// end asks the shadow to end. It has found differences.
func (s *shadow) end(t *testing.T) {
	t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	said := <-s.said
	_ = s.cmd.Wait() // the status says how
	if status := s.cmd.ProcessState.ExitCode(); status > 1 {
		t.Errorf("the shadow ended with status %d:\n%s", status, said)
	}
	t.Logf("at the end the shadow says: %s; its memory was %d MiB at most", lastLine(said),
		s.cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss>>10)
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// count sums the values of a metric of diffrun whose labels contain a text.
func (s *shadow) count(t *testing.T, name, labels string) int {
	t.Helper()
	return sumOf(t, string(scrape(t, s.plain)), "apiserver_declarative_validation_"+name, labels)
}

// lines returns the samples of a metric that are not zero.
func (s *shadow) lines(t *testing.T, name string) string {
	t.Helper()
	return strings.Join(regexp.MustCompile(`(?m)^apiserver_declarative_validation_`+name+`\{.*\} [1-9].*$`).FindAllString(
		string(scrape(t, s.plain)), -1), ", ")
}

// sumOf sums the samples of a metric whose labels contain a text.
func sumOf(t *testing.T, text, name, labels string) int {
	t.Helper()
	sum := 0
	for line := range strings.Lines(text) {
		rest, is := strings.CutPrefix(line, name+"{")
		of, value, found := strings.Cut(rest, "} ")
		if !is || !found || !strings.Contains(of, labels) {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += int(n)
	}
	return sum
}
