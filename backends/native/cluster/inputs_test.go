package cluster_test

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/diffrun/diffrun/backends/native/cluster"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/testing/fakecluster"
)

func newServer(t *testing.T) *fakecluster.Server {
	t.Helper()
	s := fakecluster.New(t.Errorf)
	t.Cleanup(s.Close)
	return s
}

// kubeconfig writes the kubeconfig of a server.
func kubeconfig(t *testing.T, s *fakecluster.Server) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(file, []byte(s.Kubeconfig()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func open(t *testing.T, options cluster.Options) *cluster.Backend {
	t.Helper()
	b, err := cluster.New(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// object is a widget for which the server has a recorded answer.
func object(name, answer string) map[string]any {
	metadata := map[string]any{"name": name}
	if answer != "" {
		metadata["annotations"] = map[string]any{"answer": answer}
	}
	return map[string]any{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": metadata, "spec": map[string]any{"size": int64(11)}}
}

func document(object map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: object}
}

func input(object, old map[string]any) *harness.Input {
	in := &harness.Input{Request: harness.Request{Version: widget, Operation: admissionv1.Create}, Object: contract.NewView(object)}
	if old != nil {
		in.Operation, in.Old = admissionv1.Update, contract.NewView(old)
	}
	return in
}

func on(subresource string, in *harness.Input) *harness.Input {
	in.Subresource = subresource
	return in
}

func of(kind string, in *harness.Input) *harness.Input {
	in.Version.Kind = kind
	in.Object = renamed(in.Object, "kind", kind)
	if in.Old != nil {
		in.Old = renamed(in.Old, "kind", kind)
	}
	return in
}

func version(name string, in *harness.Input) *harness.Input {
	in.Version.Version = name
	in.Object = renamed(in.Object, "apiVersion", "example.com/"+name)
	return in
}

func renamed(view *contract.View, key, value string) *contract.View {
	object, err := view.Unstructured()
	if err != nil {
		panic(err)
	}
	object = maps.Clone(object)
	object[key] = value
	return contract.NewView(object)
}

// TestUsers: the request of a case is sent as its user; what is stored for it, and removed, is not.
func TestUsers(t *testing.T) {
	s := newServer(t)
	var sent []string
	s.Before = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodGet {
			sent = append(sent, fmt.Sprintf("%s dry=%t %s%q", r.Method, fakecluster.DryRun(r), r.Header.Get("Impersonate-User"),
				r.Header.Values("Impersonate-Group")))
		}
		return false
	}
	b := open(t, cluster.Options{Kubeconfig: kubeconfig(t, s), Namespace: "scratch"})
	for _, in := range []*harness.Input{input(object("a", ""), nil), input(object("a", ""), object("a", ""))} {
		in.User = &harness.User{Name: "alice", Groups: []string{"dev", "ops"}}
		if _, err := b.Validate(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{`POST dry=true alice["dev" "ops"]`, `POST dry=false []`, `PUT dry=true alice["dev" "ops"]`, `DELETE dry=false []`}
	if diff := cmp.Diff(want, sent); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
