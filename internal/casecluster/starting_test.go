package casecluster_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/internal/casecluster"
)

// TestStarting: until the webhooks of a command are served, it reads what it wrote.
func TestStarting(t *testing.T) {
	cluster := &casecluster.Starting{Cluster: &casecluster.Cluster{}}
	client := http.Client{Transport: cluster}
	const secrets = "/api/v1/namespaces/plant/secrets"
	const secret = `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"certificate","labels":{"of":"webhook"}}}`
	for _, row := range []struct {
		why, method, path, body string
		code                    int
		want                    string
	}{
		{"clients ask for the version", "GET", "/version", "", 200, `"minor":"34"`},
		{"nothing is there at first", "GET", secrets + "/certificate", "", 404, `"reason":"NotFound"`},
		{"a list is empty", "GET", secrets, "", 200, `"items":[]`},
		{"an object is created", "POST", secrets, secret, 201, `"namespace":"plant"`},
		{"it is there", "GET", secrets + "/certificate", "", 200, `"resourceVersion":"1"`},
		{"it cannot be created again", "POST", secrets, secret, 409, `"reason":"AlreadyExists"`},
		{"it is in the list of all namespaces", "GET", "/api/v1/secrets", "", 200, `"kind":"SecretList"`},
		{"a selector leaves it out", "GET", "/api/v1/secrets?labelSelector=of%3Dother", "", 200, `"items":[]`},
		{"it is patched", "PATCH", secrets + "/certificate", `{"data":{"key":"YQ=="}}`, 200, `"labels":{"of":"webhook"}`},
		{"the patch stays", "GET", secrets + "/certificate", "", 200, `"key":"YQ=="`},
		{"an update replaces it", "PUT", secrets + "/certificate", secret, 200, `"kind":"Secret"`},
		{"the update stays", "GET", secrets + "/certificate", "", 200, `{"apiVersion":"v1","kind":"Secret"`},
		{"a status is a part of its object", "PATCH", "/apis/a.b/v1/cranes/one/status", `{"status":{"ready":true}}`, 200, `"ready":true`},
		{"the object has that status", "GET", "/apis/a.b/v1/cranes/one", "", 200, `"ready":true`},
		{"it is deleted", "DELETE", secrets + "/certificate", "", 200, `"status":"Success"`},
		{"it is gone", "GET", secrets + "/certificate", "", 404, `"reason":"NotFound"`},
		{"a review has no name", "POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", `{"spec":{}}`, 200, `{"spec":{}}`},
		{"a body in another form", "POST", secrets, "k8s\x00", 200, "k8s\x00"},
	} {
		request, err := http.NewRequest(row.method, "http://cluster.invalid"+row.path, strings.NewReader(row.body))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != row.code || !strings.Contains(string(body), row.want) {
			t.Errorf("%s: %d %s, %v; want %d %s", row.why, answer.StatusCode, body, err, row.code, row.want)
		}
	}
	const lacked = ", after it read /api/v1/namespaces/plant/secrets/certificate, which the empty cluster here does not have"
	if got := cluster.Lacked(); got != lacked {
		t.Errorf("lacked: %q", got)
	}
	cluster.Start()
	answer, err := client.Post("http://cluster.invalid"+secrets, "application/json", strings.NewReader(secret))
	if err != nil || answer.StatusCode != http.StatusNotImplemented || cluster.Refused() == nil {
		t.Errorf("a write of a webhook: %v, %v", answer, err)
	}
}
