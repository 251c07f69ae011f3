package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// pod returns a request to create a Pod with an image.
func pod(image string) *admissionv1.AdmissionRequest {
	return &admissionv1.AdmissionRequest{
		UID: "1", Operation: admissionv1.Create, Namespace: "shop",
		Kind: metav1.GroupVersionKind{Version: "v1", Kind: "Pod"}, Resource: metav1.GroupVersionResource{Version: "v1", Resource: "pods"},
		Object: runtime.RawExtension{Raw: []byte(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop"},"spec":{"containers":[{"name":"web","image":"` + image + `"}]}}`)},
	}
}

// A policy decides the same as patterns and in CEL, whether it enforces or audits.
func TestAnswer(t *testing.T) {
	for _, row := range []struct{ why, file, image, want string }{
		{"a pattern that fits", "pattern.yaml", "web@sha256:1", ""},
		{"a pattern that does not", "pattern.yaml", "web:1", "images need a checksum"},
		{"an expression that holds", "cel.yaml", "web@sha256:1", ""},
		{"an expression that does not", "cel.yaml", "web:1", "images need a checksum"},
		{"a rule that reads a ConfigMap of another file", "configmap.yaml", "web:1", ""},
	} {
		read, err := readFiles([]string{"testdata/" + row.file})
		if err != nil {
			t.Fatal(err)
		}
		webhook, err := newWebhook(read)
		if err != nil {
			t.Fatal(err)
		}
		response, err := webhook.answer(t.Context(), pod(row.image))
		if row.file == "configmap.yaml" {
			if err == nil || !strings.Contains(err.Error(), "no file has the ConfigMap shop/images") {
				t.Errorf("%s: %v, %v", row.why, response, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		denied := !response.Allowed
		if denied != (row.want != "") || denied && !strings.Contains(response.Result.Message, row.want) {
			t.Errorf("%s: %v, want %q", row.why, response, row.want)
		}
	}
}

// The generated policy has the rules of the ClusterPolicy, and a binding that denies.
func TestPolicies(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), []string{"policies", "testdata/cel.yaml"}, nil, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"name: cpol-checksums\n", "name: cpol-checksums-binding", "- Deny", "- pods\n", "contains('@')"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out.String())
		}
	}
}

// Kinds have the resources of the API server.
func TestDiscovery(t *testing.T) {
	for kind, want := range map[string]string{"StorageClass": "storage.k8s.io/v1 storageclasses", "Ingress": "networking.k8s.io/v1 ingresses", "Deployment": "apps/v1 deployments"} {
		found, err := newDiscovery(nil).FindResources("*", "*", kind, "")
		if err != nil || len(found) != 1 {
			t.Errorf("%s: %v, %v", kind, found, err)
		}
		for of, resource := range found {
			if got := of.GroupVersion.String() + " " + resource.Name; got != want {
				t.Errorf("%s is %s, want %s", kind, got, want)
			}
		}
	}
}

// Mistakes name their files and policies.
func TestMistakes(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.yaml")
	if err := os.WriteFile(broken, []byte("kind: [\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		why  string
		args []string
		want string
	}{
		{"no files", []string{"serve"}, "a subcommand and files are missing"},
		{"an unknown subcommand", []string{"check", "testdata/cel.yaml"}, "no subcommand \"check\""},
		{"a file that is not there", []string{"serve", "none.yaml"}, "open none.yaml: no such file"},
		{"a file that is no YAML", []string{"serve", broken}, broken + ": document 1: "},
		{"patterns have no generated policy", []string{"policies", "testdata/pattern.yaml"}, "ClusterPolicy \"checksums\": skip generating ValidatingAdmissionPolicy for non CEL rules"},
		{"no library", []string{"suites", "testdata"}, "no policy below testdata has a version in CEL beside it"},
	} {
		err := run(t.Context(), row.args, strings.NewReader(""), io.Discard)
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.why, err, row.want)
		}
	}
}
