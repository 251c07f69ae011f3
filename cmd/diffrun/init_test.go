//go:build !slim

package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
)

// clusterLists are the answers of an API server, by path. Others are not found.
var clusterLists = map[string]string{
	"/apis/apiextensions.k8s.io/v1/customresourcedefinitions": `[{"metadata":{"name":"widgets.example.com","uid":"1",` +
		`"managedFields":[]},"spec":{"group":"example.com","scope":"Namespaced",
		"names":{"kind":"Widget","listKind":"WidgetList","plural":"widgets","singular":"widget"},
		"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{` +
		`"size":{"type":"integer"}}}}}]},"status":{"storedVersions":["v1"]}},
		{"metadata":{"name":"gadgets.example.com"},"spec":{"group":"example.com","scope":"Namespaced","names":{"kind":"Gadget",` +
		`"plural":"gadgets"},
		"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}]`,
	"/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations": `[{"metadata":{"name":"widgets"},"webhooks":[{` +
		`"name":"w.example.com","clientConfig":{"service":{"path":"/widgets"}},
		"rules":[{"operations":["CREATE"],"apiGroups":["example.com"],"apiVersions":["v1"],"resources":["widgets"]}]}]}]`,
	"/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations": `[]`,
	"/apis/example.com/v1/widgets": `[{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"wheel",` +
		`"namespace":"shop","uid":"2","resourceVersion":"3",
		"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}"}},"size":3,"status":{"ready":true}}]`,
}

// A cluster is read, never written: the definition with a webhook gets a suite that asks the cluster.
func TestInitFromCluster(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			t.Errorf("%s %s; only reading is allowed", r.Method, r.URL)
		}
		w.Header().Set("Content-Type", "application/json")
		items, found := clusterLists[r.URL.Path]
		if !found {
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`))
			return
		}
		_, _ = w.Write([]byte(`{"kind":"List","apiVersion":"v1","metadata":{},"items":` + items + `}`))
	}))
	defer server.Close()
	t.Chdir(t.TempDir())
	kubeconfig, err := json.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Config", "current-context": "test",
		"clusters": []any{map[string]any{"name": "test", "cluster": map[string]any{"server": server.URL}}},
		"contexts": []any{map[string]any{"name": "test", "context": map[string]any{"cluster": "test"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("kubeconfig", kubeconfig, 0o600); err != nil {
		t.Fatal(err)
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	command := program{Environment: run.Environment{
		Console: &terminal.Console{Stdin: strings.NewReader(""), Stdout: terminal.New(null), Stderr: terminal.New(null)},
		Now:     time.Now, Cluster: openCluster,
	}}
	if status := command.execute(t.Context(), []string{"init", "--from-cluster", "--kubeconfig", "kubeconfig"}); status != 0 {
		t.Fatalf("exit status %d", status)
	}
	suite, err := os.ReadFile(filepath.Join("diffrun", "suite.yaml"))
	if err != nil || !strings.Contains(string(suite), "native:\n  cluster:\n    kubeconfig: ") {
		t.Errorf("%v\n%s", err, suite)
	}
	if status := command.execute(t.Context(), []string{"run", "--list", "diffrun"}); status != 0 {
		t.Errorf("the suite cannot be read: exit status %d", status)
	}
	cases, err := os.ReadFile(filepath.Join("diffrun", "cases.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	_, made, _ := strings.Cut(string(cases), "objects:\n")
	want := `  # cluster/Widget/wheel.json:1
  wheel:
    apiVersion: example.com/v1
    kind: Widget
    metadata:
      name: wheel
      namespace: shop
    size: 3
cases:
- name: wheel
  object: wheel
- name: "wheel: size is removed"
  object: wheel
  jsonPatch: [{"op":"remove","path":"/size"}]
- name: "wheel: size is 0"
  object: wheel
  jsonPatch: [{"op":"replace","path":"/size","value":0}]
- name: "wheel: size is -1"
  object: wheel
  jsonPatch: [{"op":"replace","path":"/size","value":-1}]
- name: "wheel: size is 1000000"
  object: wheel
  jsonPatch: [{"op":"replace","path":"/size","value":1000000}]
`
	if diff := cmp.Diff(want, made); diff != "" {
		t.Errorf("cases (-want +got):\n%s", diff)
	}
}
