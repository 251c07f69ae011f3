package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

const hostPorts = "testdata/hostports/"

// request returns a request to create the object of a file.
func request(t *testing.T, file string) *admissionv1.AdmissionRequest {
	t.Helper()
	text, err := os.ReadFile(hostPorts + file)
	if err != nil {
		t.Fatal(err)
	}
	object, err := yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	return &admissionv1.AdmissionRequest{
		UID: "1", Operation: admissionv1.Create, Kind: metav1.GroupVersionKind{Version: "v1", Kind: "Pod"},
		Namespace: "shop", Object: runtime.RawExtension{Raw: object},
	}
}

func newTestWebhook(t *testing.T, files ...string) *webhook {
	t.Helper()
	read, err := readFiles(files)
	if err != nil {
		t.Fatal(err)
	}
	made, err := newWebhook(t.Context(), read)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// Rego decides whether there is a violation, and enforcementAction its consequence.
func TestAnswer(t *testing.T) {
	for _, row := range []struct {
		why, action, file string
		want              string
	}{
		{"a port in the range", "", "allowed.yaml", "true"},
		{"a port outside of the range", "", "disallowed.yaml", "false [unprivileged] host port 80 is not from 8000 to 9000"},
		{"a warning", "warn", "disallowed.yaml", "true [[unprivileged] host port 80 is not from 8000 to 9000]"},
		{"a dry run", "dryrun", "disallowed.yaml", "true"},
	} {
		constraint := filepath.Join(t.TempDir(), "constraint.yaml")
		text, err := os.ReadFile(hostPorts + "constraint.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if row.action != "" {
			text = bytes.Replace(text, []byte("spec:\n"), []byte("spec:\n  enforcementAction: "+row.action+"\n"), 1)
		}
		if err := os.WriteFile(constraint, text, 0o600); err != nil {
			t.Fatal(err)
		}
		response, err := newTestWebhook(t, hostPorts+"template.yaml", constraint).answer(t.Context(), request(t, row.file))
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(response.Allowed)
		if response.Result != nil {
			got += " " + response.Result.Message
		}
		if len(response.Warnings) > 0 {
			got += fmt.Sprint(" ", response.Warnings)
		}
		if got != row.want {
			t.Errorf("%s: %s, want %s", row.why, got, row.want)
		}
	}
}

// An error in Rego is not a decision.
func TestConflict(t *testing.T) {
	template := filepath.Join(t.TempDir(), "template.yaml")
	text, err := os.ReadFile(hostPorts + "template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("          outside(port) { port < input.parameters.min }\n"),
		[]byte("          outside(port) = true { port < input.parameters.min }\n          outside(port) = false { port < 100 }\n"), 1)
	if err := os.WriteFile(template, text, 0o600); err != nil {
		t.Fatal(err)
	}
	response, err := newTestWebhook(t, template, hostPorts+"constraint.yaml").answer(t.Context(), request(t, "disallowed.yaml"))
	if err == nil || !strings.Contains(err.Error(), "conflict") {
		t.Errorf("answer %v, error %v, want one about a conflict", response, err)
	}
}

// Each test of gator becomes a suite.
func TestSuites(t *testing.T) {
	into := t.TempDir()
	if err := suites([]string{"-o", into, "-exceptions", "exceptions.yaml", hostPorts + "suite.yaml"}, io.Discard); err != nil {
		t.Fatal(err)
	}
	for file, wants := range map[string][]string{
		"suite.yaml":    {"name: hostports-unprivileged", "testdata/hostports/suite.yaml#unprivileged", "/exceptions.yaml", "- serve"},
		"policies.yaml": {"name: gatekeeper-hostports\n", "kind: ValidatingAdmissionPolicyBinding", "kind: HostPorts", "max: 9000"},
	} {
		text, err := os.ReadFile(filepath.Join(into, "hostports-unprivileged", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s has no %q:\n%s", file, want, text)
			}
		}
	}
}

// Mistakes name their files.
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
		{"an unknown subcommand", []string{"check", hostPorts + "template.yaml", hostPorts + "constraint.yaml"}, "no subcommand \"check\""},
		{"a file that is not there", []string{"serve", "none.yaml"}, "open none.yaml: no such file"},
		{"a file that is no YAML", []string{"serve", broken}, broken + ": document 1: "},
		{"a template without a constraint", []string{"serve", hostPorts + "template.yaml"},
			"1 ConstraintTemplates and 0 constraints in the files; at least one of each is needed"},
		{"a constraint without its template", []string{"serve", hostPorts + "constraint.yaml"}, "0 ConstraintTemplates and 1 constraints"},
		{"no suite of gator", []string{"suites", hostPorts + "template.yaml"}, "is not a Suite of gator"},
	} {
		err := run(t.Context(), row.args, strings.NewReader(""), io.Discard)
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.why, err, row.want)
		}
	}
}
