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

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/upgrading"
)

// smallCluster is what an API server answers: Pods on two pages, a group of custom resources, and Secrets that the
// user may not list.
var smallCluster = map[string]string{
	"/version": `{"major": "1", "minor": "33", "gitVersion": "v1.33.13+k3s1"}`,
	"/api":     `{"kind": "APIVersions", "versions": ["v1"]}`,
	"/apis": `{"kind": "APIGroupList", "groups": [{"name": "example.com", "versions": [{"groupVersion": ` +
		`"example.com/v1", "version": "v1"}], "preferredVersion": {"groupVersion": "example.com/v1", "version": "v1"}}]}`,
	"/api/v1": `{"kind": "APIResourceList", "groupVersion": "v1", "resources": [{"name": "pods", "kind": "Pod", ` +
		`"namespaced": true, "verbs": ["create", "list"]}, {"name": "pods/status", "kind": "Pod", "verbs": ["update"]}, {"name": ` +
		`"secrets", "kind": "Secret", "verbs": ["create", "list"]}, {"name": "componentstatuses", "kind": "ComponentStatus", ` +
		`"verbs": ["list"]}, {"name": "events", "kind": "Event", "verbs": ["create", "list"]}]}`,
	"/apis/example.com/v1": `{"kind": "APIResourceList", "groupVersion": "example.com/v1", "resources": [{"name": "widgets", ` +
		`"kind": "Widget", "verbs": ["create", "list"]}]}`,
	"/api/v1/pods": `{"kind": "PodList", "apiVersion": "v1", "metadata": {"continue": "more"}, "items": [{"metadata": ` +
		`{"name": "a", "managedFields": [{"manager": "m"}]}}]}`,
	"/api/v1/pods?more": `{"kind": "PodList", "apiVersion": "v1", "metadata": {}, "items": [{"metadata": {"name": "b"}}]}`,
}

func TestReadCluster(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		if next := r.URL.Query().Get("continue"); next != "" {
			path += "?" + next
		}
		w.Header().Set("Content-Type", "application/json")
		switch text, has := smallCluster[path]; {
		case r.Method != http.MethodGet:
			t.Errorf("%s %s: the cluster is only read", r.Method, path)
		case has:
			_, _ = w.Write([]byte(text))
		default:
			w.WriteHeader(http.StatusForbidden)
			_, _ = w.Write([]byte(`{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Forbidden", "message": ` +
				`"secrets is forbidden", "code": 403}`))
		}
	}))
	defer server.Close()
	config := filepath.Join(t.TempDir(), "config")
	text := `{"clusters": [{"name": "c", "cluster": {"server": "` + server.URL +
		`"}}], "contexts": [{"name": "x", "context": {"cluster": "c"}}]}`
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var got []string
	read, err := readCluster(t.Context(), upgrading.Access{Kubeconfig: config, Context: "x"},
		func(of upgrading.Resource, object map[string]any) error {
			text, err := json.Marshal(object)
			got = append(got, of.String()+" "+string(text))
			return err
		})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`pods {"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}`,
		`pods {"apiVersion":"v1","kind":"Pod","metadata":{"name":"b"}}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	const notRead = "definitions, custom resources and the resources of other API servers, which are not compared: example.com\n" +
		"events: they live for an hour\nsecrets: secrets is forbidden"
	if diff := cmp.Diff(notRead, strings.Join(read.NotRead, "\n")); diff != "" || read.Release != "v1.33.13+k3s1" {
		t.Errorf("release %s; not read (-want +got):\n%s", read.Release, diff)
	}
}
