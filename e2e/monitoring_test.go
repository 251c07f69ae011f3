package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// TestMonitoring lets a real Prometheus scrape a soak and evaluate the rules of
// deploy/prometheus. promtool checks the rules and the metrics.
func TestMonitoring(t *testing.T) {
	for _, program := range []string{"prometheus", "promtool"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("%v; `bash .ci/prometheus` installs Debian's package", err)
		}
	}
	rules, err := filepath.Abs("../deploy/prometheus/rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	promtool(t, nil, "check", "rules", rules)
	promtool(t, nil, "test", "rules", "../deploy/prometheus/tests.yaml")
	address := startSoak(t)
	promtool(t, scrape(t, address), "check", "metrics")
	prometheus := startPrometheus(t, address, rules)
	for _, query := range []struct{ why, promQL string }{
		{"the scrape works", "up == 1"},
		{"inputs are counted", "apiserver_declarative_validation_cases_total > 0"},
		{"the example admits a backup", `apiserver_declarative_validation_cases_total{verdict="different",effect="admits"} > 0`},
		{"both validations have a latency", "apiserver_native_validation_seconds_count and apiserver_declarative_validation_seconds_count"},
		{"the recorded rule has a value", "kind_class:diffrun_differences:rate5m > 0"},
		{"the alert fires", `ALERTS{alertname="DiffrunSchemaAdmits",alertstate="firing"}`},
	} {
		if err := untilFound(t, prometheus, query.promQL); err != nil {
			t.Errorf("%s: %s: %v", query.why, query.promQL, err)
		}
	}
	for expression := range expressions(t) {
		if _, err := ask(t.Context(), prometheus, expression); err != nil {
			t.Errorf("deploy/grafana/dashboard.json: %s: %v", expression, err)
		}
	}
}

// promtool runs a check that must find nothing.
func promtool(t *testing.T, in []byte, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "promtool", args...)
	cmd.Stdin = bytes.NewReader(in)
	if out, err := cmd.CombinedOutput(); err != nil || bytes.Contains(out, []byte("error")) {
		t.Fatalf("promtool %q: %v\n%s", args, err, out)
	}
}

// startSoak soaks the example whose schema accepts too much, and returns the address that it serves. A few
// cases per second are enough, and leave the machine to other tests.
func startSoak(t *testing.T) string {
	t.Helper()
	example, err := filepath.Abs("../examples/webhook/draft.yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.Command(filepath.Join(*binaries, "diffrun"), "soak", "--addr", "127.0.0.1:0", "--rate", "20", "--folder",
		filepath.Join(dir, "found"), example)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait() // the example has differences, so the status is 1
		if status := cmd.ProcessState.ExitCode(); status != 1 {
			t.Errorf("the soak ended with status %d after SIGTERM; want 1", status)
		}
	})
	said := make([]byte, 4096)
	n, err := stderr.Read(said)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, stderr) }()
	found := regexp.MustCompile(`http://([^/]+)/metrics`).FindSubmatch(said[:n])
	if found == nil {
		t.Fatalf("the soak does not say where it serves: %s", said[:n])
	}
	address := string(found[1])
	err = wait.PollUntilContextTimeout(t.Context(), 100*time.Millisecond, 2*time.Minute, true, func(ctx context.Context) (bool, error) {
		answer, err := http.Get("http://" + address + "/readyz")
		if err != nil {
			return false, nil
		}
		defer answer.Body.Close()
		return answer.StatusCode == http.StatusOK, nil
	})
	if err != nil {
		t.Fatalf("the soak is not ready: %v", err)
	}
	return address
}

func scrape(t *testing.T, address string) []byte {
	t.Helper()
	answer, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// startPrometheus returns the URL of a Prometheus that scrapes an address each second.
func startPrometheus(t *testing.T, address, rules string) string {
	t.Helper()
	dir := t.TempDir()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := listener.Addr().String()
	listener.Close()
	write(t, filepath.Join(dir, "prometheus.yml"), fmt.Sprintf(`global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [%q]
scrape_configs:
- job_name: diffrun
  static_configs: [{targets: [%q]}]
`, rules, address))
	output, err := os.Create(filepath.Join(dir, "output"))
	if err != nil {
		t.Fatal(err)
	}
	defer output.Close()
	cmd := exec.Command("prometheus", "--config.file", filepath.Join(dir, "prometheus.yml"), "--storage.tsdb.path",
		filepath.Join(dir, "data"), "--web.listen-address", at)
	cmd.Stdout, cmd.Stderr = output, output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	return "http://" + at
}

// ask returns the number of values that a query has now.
func ask(ctx context.Context, prometheus, query string) (int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, prometheus+"/api/v1/query?query="+url.QueryEscape(query), nil)
	if err != nil {
		return 0, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	var found struct {
		Status, Error string
		Data          struct{ Result []json.RawMessage }
	}
	if err := json.NewDecoder(answer.Body).Decode(&found); err != nil {
		return 0, err
	}
	if found.Status != "success" {
		return 0, fmt.Errorf("%s", found.Error)
	}
	return len(found.Data.Result), nil
}

func untilFound(t *testing.T, prometheus, query string) error {
	t.Helper()
	return wait.PollUntilContextTimeout(t.Context(), 200*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		n, err := ask(ctx, prometheus, query)
		return err == nil && n > 0, nil
	})
}

// expressions returns the queries of the dashboard, with values for its variables.
func expressions(t *testing.T) func(yield func(string) bool) {
	t.Helper()
	data, err := os.ReadFile("../deploy/grafana/dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	if err := json.Unmarshal(data, &dashboard); err != nil {
		t.Fatal(err)
	}
	variables := strings.NewReplacer("$__range", "5m", "$__rate_interval", "1m", "$cluster", ".*", "$group", ".*", "$kind", ".*")
	return func(yield func(string) bool) {
		for _, panel := range dashboard.Panels {
			for _, target := range panel.Targets {
				if !yield(variables.Replace(target.Expr)) {
					return
				}
			}
		}
	}
}
