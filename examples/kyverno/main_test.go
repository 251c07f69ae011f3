package main

import (
	"bytes"
	"encoding/json"
	"errors"
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
		Object: runtime.RawExtension{
			Raw: []byte(
				`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop"},"spec":{"containers":[{"name":"web",` +
					`"image":"` + image +
					`"}]}}`),
		},
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
	for kind, want := range map[string]string{
		"StorageClass": "storage.k8s.io/v1 storageclasses",
		"Ingress":      "networking.k8s.io/v1 ingresses",
		"Deployment":   "apps/v1 deployments",
	} {
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

// A policy with a version in CEL becomes two suites: Kyverno's engine beside itself, and beside the generated policy if
// diffrun reads it.
func TestSuites(t *testing.T) {
	library, into := t.TempDir(), t.TempDir()
	for _, name := range []string{"good", "bad"} {
		for folder, file := range map[string]string{"practices": "pattern.yaml", "practices-cel": "cel.yaml"} {
			writeFile(t, filepath.Join(library, folder, name, "policy.yaml"), readFile(t, "testdata/"+file))
			writeFile(t, filepath.Join(library, folder, name, ".kyverno-test", "kyverno-test.yaml"), "")
		}
	}
	parameters := strings.Replace(readFile(t, "testdata/cel.yaml"), "      cel:\n",
		"      cel:\n        paramKind: {apiVersion: v1, kind: ConfigMap}\n        paramRef: {name: images}\n", 1)
	writeFile(t, filepath.Join(library, "practices-cel", "parameters", "policy.yaml"), parameters)
	writeFile(t, filepath.Join(library, "practices", "parameters", "policy.yaml"), readFile(t, "testdata/pattern.yaml"))
	writeFile(t, filepath.Join(library, "practices", "parameters", ".kyverno-test", "kyverno-test.yaml"), "")
	left := "parameters-cel-policy: left out: its policy has parameters, which the samples do not have\n"
	program := filepath.Join(t.TempDir(), "diffrun")
	for _, row := range []struct{ why, program, written, log string }{
		{"diffrun refuses a policy", "echo 'DIR/bad-cel-policy/policies.yaml:7: it has a mistake' >&2\nexit 2",
			"bad-cel-engine good-cel-engine good-cel-policy parameters-cel-engine",
			left + "bad-cel-policy: left out: it has a mistake\n4 suites written to DIR, for 3 policies\n"},
		{"diffrun warns about one", "exit 1", "bad-cel-engine bad-cel-policy good-cel-engine good-cel-policy parameters-cel-engine",
			left + "5 suites written to DIR, for 3 policies\n"},
		{"diffrun has no such command", "echo 'unknown command' >&2\nexit 2", "", "unknown command"},
		{"diffrun ends otherwise", "exit 3", "", "diffrun reads the generated policies; install it"},
	} {
		dir := filepath.Join(into, strings.ReplaceAll(row.why, " ", "-"))
		script := "#!/bin/sh\n" + strings.ReplaceAll(row.program, "DIR", dir) + "\n"
		if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		err := suites(t.Context(), []string{"-o", dir, "-diffrun", program, library}, &log)
		if row.written == "" {
			if err == nil || !strings.Contains(err.Error(), row.log) {
				t.Errorf("%s: %v, want %q", row.why, err, row.log)
			}
			continue
		}
		if want := strings.ReplaceAll(row.log, "DIR", dir); err != nil || log.String() != want {
			t.Errorf("%s: %v, %q, want %q", row.why, err, log.String(), want)
		}
		written, err := filepath.Glob(dir + "/*/suite.yaml")
		if err != nil {
			t.Fatal(err)
		}
		for i, file := range written {
			written[i] = filepath.Base(filepath.Dir(file))
		}
		if got := strings.Join(written, " "); got != row.written {
			t.Errorf("%s: the suites are %q, want %q", row.why, got, row.written)
		}
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// writeFile writes a file into a folder that it makes.
func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// Requests are answered line by line, with the uid of each; a request without a decision is answered with a Status.
func TestServe(t *testing.T) {
	review, err := json.Marshal(admissionv1.AdmissionReview{Request: pod("web:1")})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ file, want string }{
		{"pattern.yaml", `"uid":"1","allowed":false`},
		{"configmap.yaml", `"kind":"Status"`},
	} {
		var out bytes.Buffer
		if err := run(t.Context(), []string{"serve", "testdata/" + row.file}, bytes.NewReader(append(review, '\n')), &out); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), row.want) {
			t.Errorf("%s: no %s in %s", row.file, row.want, out.String())
		}
	}
	for text, want := range map[string]string{
		"{":  "request 1: the request is not an AdmissionReview",
		"{}": "request 1: the AdmissionReview has no request",
	} {
		err := run(t.Context(), []string{"serve", "testdata/pattern.yaml"}, strings.NewReader(text+"\n"), io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
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
		{"patterns have no generated policy", []string{"policies", "testdata/pattern.yaml"},
			"ClusterPolicy \"checksums\": skip generating ValidatingAdmissionPolicy for non CEL rules"},
		{"no library", []string{"suites", "testdata"}, "no policy below testdata has a version in CEL beside it"},
	} {
		err := run(t.Context(), row.args, strings.NewReader(""), io.Discard)
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.why, err, row.want)
		}
	}
}
