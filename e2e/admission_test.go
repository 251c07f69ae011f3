package e2e_test

import (
	"bytes"
	"context"
	"encoding/pem"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/wait"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/backends/native/webhook"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// backup is the custom resource of testdata/admission/crd.yaml.
type backup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Volume string `json:"volume"`
		Keep   int    `json:"keep"`
	} `json:"spec"`
}

// validateBackup is the validation of the webhook.
func validateBackup(_ context.Context, b, old *backup) (errs field.ErrorList) {
	spec := field.NewPath("spec")
	if b.Spec.Volume == "" {
		errs = append(errs, field.Required(spec.Child("volume"), ""))
	}
	if keep := b.Spec.Keep; keep < 1 || keep > 365 {
		errs = append(errs, field.Invalid(spec.Child("keep"), keep, "must be between 1 and 365"))
	}
	if old != nil && b.Spec.Volume != old.Spec.Volume {
		errs = append(errs, field.Invalid(spec.Child("volume"), b.Spec.Volume, "field is immutable"))
	}
	return errs
}

// TestWorlds compares the stages of a world with those of the API server: the definition,
// ValidatingAdmissionPolicies, and a webhook of a ValidatingWebhookConfiguration.
func TestWorlds(t *testing.T) {
	define(t, served.Definition(t, "testdata/admission/crd.yaml"))
	url, ca := serveWebhook(t)
	registerWebhook(t, url, ca)
	applyPolicies(t, "testdata/admission/policies.yaml")
	here, err := filepath.Abs("testdata/admission")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "ca.pem"), string(ca))
	write(t, filepath.Join(dir, "suite.yaml"), fmt.Sprintf(`name: admission
native: {cluster: {kubeconfig: %q, namespace: %q}}
declarative:
  crd: %q
  policies: [%q]
  then: {webhook: {url: %q, caFile: ca.pem}}
cases: [%q]
`, plane.Kubeconfig, namespace(t), filepath.Join(here, "crd.yaml"), filepath.Join(here, "policies.yaml"), url,
		filepath.Join(here, "cases.yaml")))
	out := diffrun(t, dir, "--no-rules", "suite.yaml")
	s := out.report.Summary
	if out.status != 0 || s.Equal != s.Inputs || s.Inputs == 0 {
		t.Errorf("exit status %d, %d of %d inputs are equal\n%s%s", out.status, s.Equal, s.Inputs, out.stdout, out.stderr)
	}
}

// serveWebhook serves validateBackup, and returns its URL and the authority of its certificate.
func serveWebhook(t *testing.T) (url string, ca []byte) {
	t.Helper()
	server := httptest.NewTLSServer(webhook.Handler(native.Func[*backup](validateBackup)))
	t.Cleanup(server.Close)
	return server.URL, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
}

// registerWebhook registers the webhook with the API server until the test ends.
func registerWebhook(t *testing.T, url string, ca []byte) {
	t.Helper()
	client, err := kubernetes.NewForConfig(plane.Config)
	if err != nil {
		t.Fatal(err)
	}
	configurations := client.AdmissionregistrationV1().ValidatingWebhookConfigurations()
	_, err = configurations.Create(t.Context(), &admissionregistrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "backups"},
		Webhooks: []admissionregistrationv1.ValidatingWebhook{{
			Name:         "backups.example.com",
			ClientConfig: admissionregistrationv1.WebhookClientConfig{URL: &url, CABundle: ca},
			Rules: []admissionregistrationv1.RuleWithOperations{{
				Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create, admissionregistrationv1.Update},
				Rule: admissionregistrationv1.Rule{
					APIGroups:   []string{"example.com"},
					APIVersions: []string{"v1"},
					Resources:   []string{"backups"},
				},
			}},
			FailurePolicy:           ptr.To(admissionregistrationv1.Fail),
			SideEffects:             ptr.To(admissionregistrationv1.SideEffectClassNone),
			AdmissionReviewVersions: []string{"v1"},
		}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := configurations.Delete(context.Background(), "backups", metav1.DeleteOptions{}); err != nil {
			t.Error(err)
		}
	})
	untilRefused(t, "spec: {volume: orders, keep: 0}", "must be between 1 and 365")
}

// applyPolicies stores the policies and bindings of a file, until the test ends.
func applyPolicies(t *testing.T, file string) {
	t.Helper()
	client, err := kubernetes.NewForConfig(plane.Config)
	if err != nil {
		t.Fatal(err)
	}
	registration := client.AdmissionregistrationV1()
	policies, bindings := registration.ValidatingAdmissionPolicies(), registration.ValidatingAdmissionPolicyBindings()
	for _, document := range documents(t, file) {
		var policy admissionregistrationv1.ValidatingAdmissionPolicy
		var binding admissionregistrationv1.ValidatingAdmissionPolicyBinding
		var kind metav1.TypeMeta
		if err := yaml.Unmarshal(document, &kind); err != nil {
			t.Fatal(err)
		}
		switch kind.Kind {
		case "ValidatingAdmissionPolicy":
			if err := yaml.UnmarshalStrict(document, &policy); err != nil {
				t.Fatal(err)
			}
			if _, err := policies.Create(t.Context(), &policy, metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = policies.Delete(context.Background(), policy.Name, metav1.DeleteOptions{}) })
		case "ValidatingAdmissionPolicyBinding":
			if err := yaml.UnmarshalStrict(document, &binding); err != nil {
				t.Fatal(err)
			}
			if _, err := bindings.Create(t.Context(), &binding, metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = bindings.Delete(context.Background(), binding.Name, metav1.DeleteOptions{}) })
		default:
			t.Fatalf("%s has a %s", file, kind.Kind)
		}
	}
	untilRefused(t, "spec: {volume: forbidden, keep: 1}", "no backups of it")
}

// documents returns the YAML documents of a file.
func documents(t *testing.T, file string) (all [][]byte) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for document := range bytes.SplitSeq(data, []byte("\n---\n")) {
		if text := bytes.TrimSpace(document); len(text) > 0 {
			all = append(all, text)
		}
	}
	return all
}

// untilRefused waits until a registration takes effect: the API server rejects an object with a message.
func untilRefused(t *testing.T, spec, message string) {
	t.Helper()
	client, err := kubernetes.NewForConfig(plane.Config)
	if err != nil {
		t.Fatal(err)
	}
	object, err := utilyaml.ToJSON([]byte("apiVersion: example.com/v1\nkind: Backup\nmetadata: {name: probe}\n" + spec))
	if err != nil {
		t.Fatal(err)
	}
	var last error
	err = wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		last = client.RESTClient().Post().AbsPath("/apis/example.com/v1/namespaces/default/backups").Param("dryRun", "All").Body(object).Do(
			ctx).Error()
		return last != nil && strings.Contains(last.Error(), message), nil
	})
	if err != nil {
		t.Fatalf("no refusal that says %q: %v; last answer: %v", message, err, last)
	}
}
