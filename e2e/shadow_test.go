package e2e_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/internal/testing/served"
)

var shadowed = flag.Int("shadowed", 10_000, "requests that the API server sends to a shadow")

// TestShadow lets the API server send the requests of deploy/shadow/webhook.yaml to a shadow.
func TestShadow(t *testing.T) {
	define(t, served.Definition(t, "testdata/shadow/today.yaml"))
	t.Run("validating", shadowValidating)
	t.Run("mutating", shadowMutating)
}

// shadowValidating: requests are counted, their objects are compared, and the latency that the shadow adds is
// printed. Meanwhile the certificate changes. Then the shadow is killed, which fails no request of the API
// server, and is started again.
func shadowValidating(t *testing.T) {
	s := newShadow(t)
	s.start(t)
	configuration := s.register(t, "ValidatingWebhookConfiguration")
	asked := newRequests(t, configuration)
	s.untilAsked(t, asked)

	before, refusedToWait := s.count(t, "requests_total", `code="200"`), failedOpen(t)
	renewed := make(chan struct{})
	times := asked.send(t, *shadowed, func(at int) {
		if at == *shadowed/3 {
			s.certify(t)
			close(renewed)
		}
	})
	<-renewed
	s.untilRenewed(t)
	answered := s.count(t, "requests_total", `code="200"`) - before
	late := failedOpen(t) - refusedToWait
	t.Logf("%d requests of the API server, %d answered, %d for which it did not wait longer than a second", *shadowed, answered, late)
	t.Logf("a request takes %s", times)
	if answered > *shadowed || answered < *shadowed-late {
		t.Errorf("%d of %d requests were answered, and the API server went on without %d", answered, *shadowed, late)
	}
	s.untilCompared(t)
	if found, err := filepath.Glob(filepath.Join(s.dir, "found/differences/too-strict-*.jsonl")); err != nil || len(found) != 1 {
		t.Errorf("%q are the cases of what next.yaml refuses: %v", found, err)
	}

	killed := asked.send(t, *shadowed/10, func(at int) {
		if at == *shadowed/20 {
			s.kill()
		}
	})
	t.Logf("with a shadow that is killed in the middle, a request takes %s", killed)
	s.start(t)
	s.untilAsked(t, asked)
	s.untilCompared(t)
	s.end(t)
}

// shadowMutating: as a mutating webhook, a shadow also sees objects that the API server rejects.
func shadowMutating(t *testing.T) {
	s := newShadow(t)
	s.start(t)
	asked := newRequests(t, s.register(t, "MutatingWebhookConfiguration"))
	s.untilAsked(t, asked)
	s.untilCompared(t)
	before := s.count(t, "requests_total", `code="200"`)
	if _, err := asked.tickets.Namespace(asked.included).Create(t.Context(), ticket("a", 0, ""), dryRun); err == nil ||
		!strings.Contains(err.Error(), "spec.priority") {
		t.Errorf("a priority of 0 is answered %v", err)
	}
	if n := s.count(t, "requests_total", `code="200"`) - before; n != 1 {
		t.Errorf("%d requests came, want 1", n)
	}
	s.untilCompared(t)
	s.end(t)
}

// TestShadowManifests: the API server accepts the objects of deploy/shadow, and knows each field.
func TestShadowManifests(t *testing.T) {
	client, err := kubernetes.NewForConfig(plane.Config)
	if err != nil {
		t.Fatal(err)
	}
	paths := map[string]string{
		"Namespace": "/api/v1/namespaces", "ServiceAccount": "/api/v1/namespaces/diffrun-shadow/serviceaccounts",
		"Service": "/api/v1/namespaces/diffrun-shadow/services", "ConfigMap": "/api/v1/namespaces/diffrun-shadow/configmaps",
		"Deployment":                     "/apis/apps/v1/namespaces/diffrun-shadow/deployments",
		"PodDisruptionBudget":            "/apis/policy/v1/namespaces/diffrun-shadow/poddisruptionbudgets",
		"ValidatingWebhookConfiguration": "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
	}
	for _, file := range []string{"shadow.yaml", "suite.yaml", "webhook.yaml"} {
		for _, document := range documents(t, filepath.Join("../deploy/shadow", file)) {
			object, err := yaml.YAMLToJSON(document)
			if err != nil {
				t.Fatal(err)
			}
			var kind metav1.TypeMeta
			if err := yaml.Unmarshal(document, &kind); err != nil {
				t.Fatal(err)
			}
			if paths[kind.Kind] == "" {
				continue // the comment at the beginning of a file
			}
			err = client.RESTClient().Post().AbsPath(paths[kind.Kind]).Param("dryRun", "All").Param("fieldValidation",
				"Strict").Body(object).Do(
				t.Context()).Error()
			if err != nil && !apierrors.IsAlreadyExists(err) { // the namespace may already exist
				t.Errorf("%s: %s: %v", file, kind.Kind, err)
			}
			delete(paths, kind.Kind)
		}
	}
	if len(paths) > 0 {
		t.Errorf("not sent: %v", paths)
	}
}

// register registers the shadow with the API server, as deploy/shadow/webhook.yaml does, until the test ends.
// It uses an address instead of a service, and selects the requests of the test.
func (s *shadow) register(t *testing.T, kind string) *admissionregistrationv1.ValidatingWebhookConfiguration {
	t.Helper()
	data, err := os.ReadFile("../deploy/shadow/webhook.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var configuration admissionregistrationv1.ValidatingWebhookConfiguration
	if err := yaml.UnmarshalStrict(data, &configuration); err != nil {
		t.Fatal(err)
	}
	configuration.Kind = kind
	hook := &configuration.Webhooks[0]
	url := "https://" + s.address + *hook.ClientConfig.Service.Path
	hook.ClientConfig = admissionregistrationv1.WebhookClientConfig{URL: &url, CABundle: s.authorities}
	hook.Rules = slices.DeleteFunc(hook.Rules, func(rule admissionregistrationv1.RuleWithOperations) bool {
		return !slices.Contains(rule.Resources, "configmaps")
	})
	hook.Rules[0].Resources = []string{"configmaps"}
	tickets := *hook.Rules[0].DeepCopy()
	tickets.APIGroups, tickets.Resources = []string{"shadow.example.com"}, []string{"tickets"}
	hook.Rules = append(hook.Rules, tickets)
	object, err := yaml.Marshal(configuration)
	if err != nil {
		t.Fatal(err)
	}
	client, err := kubernetes.NewForConfig(plane.Config)
	if err != nil {
		t.Fatal(err)
	}
	path := "/apis/admissionregistration.k8s.io/v1/" + strings.ToLower(kind) + "s"
	err = client.RESTClient().Post().AbsPath(path).SetHeader("Content-Type", "application/yaml").Param("fieldValidation",
		"Strict").Body(object).Do(t.Context()).Error()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.RESTClient().Delete().AbsPath(path, configuration.Name).Do(context.Background()).Error(); err != nil {
			t.Error(err)
		}
	})
	return &configuration
}

// untilAsked waits until requests come.
func (s *shadow) untilAsked(t *testing.T, asked *requests) {
	t.Helper()
	before := s.count(t, "requests_total", `code="200"`)
	err := wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		_, err := asked.tickets.Namespace(asked.included).Create(ctx, ticket("probe", 1, ""), dryRun)
		return s.count(t, "requests_total", `code="200"`) > before, err
	})
	if err != nil {
		t.Fatalf("the API server sends no requests: %v", err)
	}
	// All requests sent so far have arrived: the API server waits for their answers.
}

// untilCompared waits until each request that was answered is compared or skipped.
func (s *shadow) untilCompared(t *testing.T) {
	t.Helper()
	var answered, compared, skipped int
	err := wait.PollUntilContextTimeout(t.Context(), 200*time.Millisecond, 2*time.Minute, true, func(context.Context) (bool, error) {
		answered, compared, skipped = s.count(t, "requests_total", `code="200"`), s.count(t, "cases_total", ""),
			s.count(t, "skipped_total", "")
		return answered == compared+skipped, nil
	})
	t.Logf("%d requests answered, %d compared, %d skipped", answered, compared, skipped)
	if err != nil {
		t.Errorf("%d requests were answered, %d compared and %d skipped", answered, compared, skipped)
	}
	if skipped > 0 {
		t.Logf("skipped: %s", s.lines(t, "skipped_total"))
	}
}

// failedOpen counts the requests that the API server completed without the shadow.
func failedOpen(t *testing.T) int {
	t.Helper()
	client, err := kubernetes.NewForConfig(plane.Config)
	if err != nil {
		t.Fatal(err)
	}
	text, err := client.RESTClient().Get().AbsPath("/metrics").DoRaw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return sumOf(t, string(text), "apiserver_admission_webhook_fail_open_count", `name="shadow.diffrun-shadow.svc"`)
}

var dryRun = metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}

func ticket(name string, priority int64, text string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "shadow.example.com/v1", "kind": "Ticket", "metadata": map[string]any{"name": name},
		"spec": map[string]any{"priority": priority, "text": text},
	}}
}
