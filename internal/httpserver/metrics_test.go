package httpserver_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/httpserver"
	"github.com/diffrun/diffrun/metrics"
)

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

func TestServerServesWhileARunLasts(t *testing.T) {
	m := metrics.New()
	routes := http.NewServeMux()
	routes.Handle("GET /metrics", m.Handler())
	server, err := httpserver.ServeMetrics("127.0.0.1:0", routes)
	if err != nil {
		t.Fatal(err)
	}
	equal := harness.Result{Case: &harness.Case{}, Version: schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, Verdict: words.Equal}
	base := "http://" + server.Address()
	m.Observe(equal)
	if status, body := get(t, base+"/metrics"); status != http.StatusOK || !strings.Contains(body, `verdict="equal",version="v1"} 1`) {
		t.Errorf("status %d:\n%s", status, body)
	}
	m.Observe(equal)
	if _, body := get(t, base+"/metrics"); !strings.Contains(body, `verdict="equal",version="v1"} 2`) {
		t.Errorf("a scrape must see what came since the last one:\n%s", body)
	}
	if status, _ := get(t, base+"/"); status != http.StatusNotFound {
		t.Errorf("only /metrics is served, but / gave %d", status)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := server.Close(ctx); err != nil {
		t.Error(err)
	}
	if response, err := http.Get(base + "/metrics"); err == nil {
		response.Body.Close()
		t.Error("the server serves on after Close")
	}
	if err := server.Close(ctx); err != nil {
		t.Errorf("a second Close, as a deferred one is, must do no harm: %v", err)
	}
}

func TestAddressThatCannotBeHad(t *testing.T) {
	server, err := httpserver.ServeMetrics("127.0.0.1:0", http.NewServeMux())
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close(t.Context())
	for _, row := range []struct{ why, address string }{
		{"taken by another", server.Address()},
		{"no port", "localhost"},
		{"no such port", "127.0.0.1:123456"},
	} {
		second, err := httpserver.ServeMetrics(row.address, http.NewServeMux())
		if err == nil {
			second.Close(t.Context())
			t.Errorf("%s: %s was served", row.why, row.address)
			continue
		}
		if !strings.Contains(err.Error(), row.address) || !strings.Contains(err.Error(), "host:port") {
			t.Errorf("%s: the error must name the address and the accepted form: %v", row.why, err)
		}
	}
}
