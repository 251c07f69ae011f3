package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	certutil "k8s.io/client-go/util/cert"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
)

// shadowed is a "diffrun shadow" that runs.
type shadowed struct {
	cmd     *exec.Cmd
	out     bytes.Buffer
	said    bytes.Buffer
	read    chan struct{} // closed when stderr ended
	webhook string
	plain   string
	client  *http.Client
}

// startShadow starts a shadow in a directory, with more variables of the environment, and waits until it prints its
// addresses.
func startShadow(t *testing.T, dir string, env []string, flags ...string) *shadowed {
	t.Helper()
	cert, key, err := certutil.GenerateSelfSignedCertKey("shadow.example.com", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"tls.crt": cert, "tls.key": key} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	authorities := x509.NewCertPool()
	authorities.AppendCertsFromPEM(cert)
	s := &shadowed{read: make(chan struct{}), client: &http.Client{
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: authorities, ServerName: "shadow.example.com"}},
	}}
	s.cmd = exec.CommandContext(t.Context(), "diffrun",
		append([]string{
			"shadow",
			"--addr",
			"127.0.0.1:0",
			"--metrics-addr",
			"127.0.0.1:0",
			"--tls-cert-file",
			"tls.crt",
			"--tls-private-key-file",
			"tls.key",
		}, flags...)...)
	s.cmd.Dir, s.cmd.Stdout, s.cmd.Env = dir, &s.out, append(os.Environ(), env...)
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(io.TeeReader(stderr, &s.said))
	for s.webhook == "" && lines.Scan() {
		if found := regexp.MustCompile(`http://([^/]+)/metrics`).FindStringSubmatch(lines.Text()); found != nil {
			s.plain = "http://" + found[1]
		}
		if found := regexp.MustCompile(`^webhook: (https://\S+) allows`).FindStringSubmatch(lines.Text()); found != nil {
			s.webhook = found[1]
		}
	}
	if s.plain == "" || s.webhook == "" {
		t.Fatalf("it does not say where it serves:\n%s", &s.said)
	}
	go func() {
		defer close(s.read)
		for lines.Scan() {
		}
	}()
	return s
}

// send sends a review and returns the answer.
func (s *shadowed) send(t *testing.T, review string) string {
	t.Helper()
	answer, err := s.client.Post(s.webhook+"/validate", "application/json", strings.NewReader(review))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d %s", answer.StatusCode, text)
}

// get returns the status and the text of a path without TLS.
func (s *shadowed) get(t *testing.T, path string) (int, string) {
	t.Helper()
	answer, err := http.Get(s.plain + path)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// end asks the shadow to end and returns its exit status.
func (s *shadowed) end(t *testing.T) int {
	t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-s.read
	_ = s.cmd.Wait() // the status says how
	return s.cmd.ProcessState.ExitCode()
}

// reviewOf is a review as an API server sends it.
func reviewOf(uid, operation, object string) string {
	return fmt.Sprintf(`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":%q,"operation":%q,"object":%s}}`,
		uid, operation, object)
}

func sizedWidget(size int) string {
	return fmt.Sprintf(`{"apiVersion":"example.com/v1","kind":"Widget","size":%d}`, size)
}

// TestShadow checks that each request is allowed, that those that are cases are compared, and that all are
// counted. Requests in the queue at the end are compared, too, and a second shadow in the folder goes on.
func TestShadow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startShadow(t, dir, nil, "--print-cases", "--folder", "found", "widgets")
	if status, _ := s.get(t, "/readyz"); status != http.StatusOK {
		t.Errorf("/readyz says %d", status)
	}
	const equal, different = 30, 20
	for i := range equal {
		if got, want := s.send(t, reviewOf(fmt.Sprint("equal", i), "CREATE", sizedWidget(1+i%10))), fmt.Sprintf(
			`"uid":"equal%d","allowed":true`, i); !strings.Contains(got, want) {
			t.Fatalf("the answer is %s, want %s", got, want)
		}
	}
	s.send(t, reviewOf("gadget1", "CREATE", `{"apiVersion":"example.com/v1","kind":"Gadget"}`))
	s.send(t, reviewOf("gadget2", "CREATE", `{"apiVersion":"example.com/v1","kind":"Gadget"}`))
	s.send(t, reviewOf("connect", "CONNECT", "null"))
	s.send(t, reviewOf("text", "CREATE", `"text"`)) // a fault
	if got := s.send(t, "none"); !strings.HasPrefix(got, "400 ") {
		t.Errorf("what is no review is answered %s", got)
	}
	for i := range different {
		s.send(t, reviewOf(fmt.Sprint("different", i), "CREATE", sizedWidget(-1)))
	}
	if status := s.end(t); status != int(terminal.Fault) {
		t.Errorf("exit status %d\n%s%s", status, &s.said, &s.out)
	}
	if want := "51 inputs of 51 cases"; !strings.Contains(s.out.String(), want) ||
		!strings.Contains(s.out.String(), "; 30 equal, 20 different, 1 fault.\n") {
		t.Errorf("the summary lacks %q:\n%s", want, &s.out)
	}
	if n := strings.Count(s.said.String(), "requests about example.com/v1 Gadget are not compared"); n != 1 {
		t.Errorf("the kind without a target is named %d times:\n%s", n, &s.said)
	}
	replayPrinted(t, dir, s.out.String())

	again := startShadow(t, dir, nil, "--folder", "found", "widgets")
	again.send(t, reviewOf("again", "CREATE", sizedWidget(-1)))
	again.end(t)
	if out := again.out.String(); strings.Contains(out, "new:") || !strings.Contains(out, "52 inputs of 52 cases") {
		t.Errorf("it does not go on from what was found:\n%s", out)
	}
}

// replayPrinted runs the cases that a shadow printed.
func replayPrinted(t *testing.T, dir, printed string) {
	t.Helper()
	var lines []string
	for line := range strings.Lines(printed) {
		if strings.HasPrefix(line, "{") {
			lines = append(lines, line)
		}
	}
	for name, text := range map[string]string{
		"suite.yaml":  "name: replay\nnative: {builtin: widgets}\ndeclarative: {builtin: widgets}\ncases: [cases.jsonl]\n",
		"cases.jsonl": strings.Join(lines, ""),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "diffrun", "run", "-o", "json", "suite.yaml")
	cmd.Dir = dir
	out, _ := cmd.Output() // the status is that of differences
	var report struct {
		Summary struct{ Inputs, Different int }
	}
	if err := json.Unmarshal(out, &report); err != nil || report.Summary.Inputs != 1 || report.Summary.Different != 1 {
		t.Errorf("%v: the printed cases %q do not show the difference again:\n%s", err, lines, out)
	}
}

// TestShadowCounts checks that each answered request is compared or skipped, and counted as such.
func TestShadowCounts(t *testing.T) {
	t.Parallel()
	s := startShadow(t, t.TempDir(), nil, "--queue", "1Mi", "--rate", "1", "--grace", "0s", "widgets")
	if _, text := s.get(t, "/metrics"); !strings.Contains(text,
		`apiserver_declarative_validation_cases_total{effect="admits",group="example.com",kind="Widget",verdict="different",`+
			`version="v1"} 0`) {
		t.Errorf("before the first request there is no counter of changed verdicts, so an alert misses the first:\n%s", text)
	}
	const sent = 60
	for i := range sent {
		s.send(t, reviewOf(fmt.Sprint(i), "CREATE", fmt.Sprintf(`{"apiVersion":"example.com/v1","kind":"Widget","size":1,"color":%q}`,
			strings.Repeat("x", 100_000))))
	}
	_, text := s.get(t, "/metrics")
	counts := map[string]string{}
	for _, found := range regexp.MustCompile(`(?m)^apiserver_declarative_validation_(requests|skipped)_total\{\w+="(\w+)"\} `+
		`(\d+)$`).FindAllStringSubmatch(text, -1) {
		counts[found[2]] = found[3]
	}
	queue := counts["queue"]
	delete(counts, "queue")
	if diff := cmp.Diff(map[string]string{"200": "60", "body": "0", "target": "0", "request": "0", "stop": "0"},
		counts); diff != "" || queue == "0" {
		t.Errorf("%s skips for the queue; others (-want +got):\n%s", queue, diff)
	}
	s.end(t)
	found := regexp.MustCompile(`(?m)^diffrun: 60 requests allowed, \d+ of them not compared ` +
		`\((\d+) queue, (\d+) stop\)$`).FindStringSubmatch(
		s.said.String())
	if found == nil || found[1] != queue {
		t.Fatalf("it does not count %s requests for which the queue had no room, and those that waited at the end:\n%s", queue, &s.said)
	}
	compared := regexp.MustCompile(`(?m)^(\d+) inputs of (\d+) cases`).FindStringSubmatch(s.out.String())
	if compared == nil || atoi(t, compared[2])+atoi(t, found[1])+atoi(t, found[2]) != sent {
		t.Errorf("%q and %q do not make %d requests", compared, found, sent)
	}
}

func atoi(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
