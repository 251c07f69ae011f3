package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"

	"github.com/diffrun/diffrun/internal/testing/served"
)

// answer is an answer of a webhook of TestWebhooks. The annotations of an object hold the answers to requests
// about it.
type answer struct {
	Patch []any          `json:"patch,omitempty"`
	Deny  *metav1.Status `json:"deny,omitempty"`
	HTTP  int            `json:"http,omitempty"`
	Body  string         `json:"body,omitempty"`
}

// webhookCase is a case of TestWebhooks. A webhook without an answer allows the object.
type webhookCase struct {
	why              string
	mutate, validate answer
	faults           bool // on both sides
	refused          bool // with the same errors
}

func patched(operation, path string, value ...any) answer {
	step := map[string]any{"op": operation, "path": path}
	if len(value) > 0 {
		step["value"] = value[0]
	}
	return answer{Patch: []any{step}}
}

func denied(code int32, reason metav1.StatusReason, message string, causes ...metav1.StatusCause) answer {
	status := &metav1.Status{Code: code, Reason: reason, Message: message}
	if len(causes) > 0 {
		status.Details = &metav1.StatusDetails{Causes: causes}
	}
	return answer{Deny: status}
}

// webhookCases are each tried as a create and as an update.
var webhookCases = []webhookCase{
	{why: "every webhook admits the object as it is"},
	{why: "a patch without operations", mutate: answer{Patch: []any{}}},
	{why: "a patch that the schema accepts", mutate: patched("add", "/spec/size", 3)},
	{why: "a patch that the schema refuses", mutate: patched("add", "/spec/size", -3), refused: true},
	{why: "a patch for a missing field", mutate: patched("remove", "/spec/color"), faults: true},
	{why: "the apiVersion is taken away", mutate: patched("remove", "/apiVersion"), faults: true},
	{why: "the kind is taken away", mutate: patched("remove", "/kind"), faults: true},
	{why: "an empty apiVersion", mutate: patched("replace", "/apiVersion", ""), faults: true},
	{why: "an empty kind", mutate: patched("replace", "/kind", ""), faults: true},
	{why: "an invalid apiVersion", mutate: patched("replace", "/apiVersion", "a/b/c"), faults: true},
	{why: "an apiVersion that is a number", mutate: patched("replace", "/apiVersion", 1), faults: true},
	{why: "a kind that is a number", mutate: patched("replace", "/kind", 1), faults: true},
	{why: "a version that is not defined", mutate: patched("replace", "/apiVersion", "puppets.example.com/v9"), faults: true},
	{why: "a different group", mutate: patched("replace", "/apiVersion", "example.org/v1"), faults: true},
	{why: "a different kind", mutate: patched("replace", "/kind", "Marionette"), refused: true},
	{why: "a different version of the resource", mutate: patched("replace", "/apiVersion", "puppets.example.com/v2")},
	{why: "an empty object", mutate: patched("replace", "", map[string]any{}), faults: true},
	{why: "a list instead of the object", mutate: patched("replace", "", []any{}), faults: true},
	{why: "a patch beside a denial", mutate: answer{Patch: patched("remove", "/kind").Patch, Deny: &metav1.Status{Message: "no"}},
		refused: true},
	{why: "a mutating webhook denies with a code of 500", mutate: denied(500, "", "oh"), refused: true},
	{why: "a denial without a status", validate: answer{Deny: &metav1.Status{}}, refused: true},
	{why: "a denial with a code of 500", validate: denied(500, metav1.StatusReasonInternalError, "oh"), refused: true},
	{why: "a denial with a code of 500 and a cause",
		validate: denied(500, "", "no", metav1.StatusCause{
			Type:    metav1.CauseTypeFieldValueInvalid,
			Field:   "spec.size",
			Message: "Invalid value: 3: must be 4",
		}), refused: true},
	{why: "a denial with a code of 503", validate: denied(503, metav1.StatusReasonServiceUnavailable, "the database is down"),
		refused: true},
	{why: "a denial with a code of 200", validate: denied(200, "", "no"), refused: true},
	{why: "a denial with the reason NotFound", validate: denied(404, metav1.StatusReasonNotFound, "there is no such volume"),
		refused: true},
	{why: "a denial with the reason Conflict", validate: denied(409, metav1.StatusReasonConflict, "another puppet has it"), refused: true},
	{why: "a denial with the reason AlreadyExists", validate: denied(409, metav1.StatusReasonAlreadyExists,
		"another puppet is like it"), refused: true},
	{why: "a denial that quotes the answer of an authorizer", validate: denied(403, metav1.StatusReasonForbidden,
		`User "me" cannot get resource "volumes"`), refused: true},
	{why: "a denial that quotes a webhook that failed", validate: denied(500, "", "failed calling webhook"), refused: true},
	{why: "an HTTP error status, although the object is allowed", validate: answer{HTTP: 500}, faults: true},
	{why: "an HTTP error status, although the object is denied", validate: answer{HTTP: 403, Deny: &metav1.Status{Message: "no"}},
		faults: true},
	{why: "a mutating webhook with an HTTP error status", mutate: answer{HTTP: 500}, faults: true},
	{why: "no AdmissionReview", validate: answer{
		Body: `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"panic: oh","code":500}`,
	}, faults: true},
	{why: "an AdmissionReview without a response", validate: answer{Body: `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}`},
		faults: true},
	{why: "no JSON", mutate: answer{Body: "oh"}, faults: true},
	{why: "a validating webhook that patches", validate: patched("add", "/spec/size", 3), faults: true},
}

// TestWebhooks compares how a world and the API server treat the answers of webhooks.
func TestWebhooks(t *testing.T) {
	definition, err := filepath.Abs("testdata/webhooks/crd.yaml")
	if err != nil {
		t.Fatal(err)
	}
	define(t, served.Definition(t, definition))
	server := httptest.NewTLSServer(http.HandlerFunc(answering))
	t.Cleanup(server.Close)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	registerPuppets(t, server.URL, ca)
	dir, cases := t.TempDir(), strings.Builder{}
	for i, c := range webhookCases {
		for _, operation := range []string{"CREATE", "UPDATE"} {
			cases.WriteString(c.line(t, i, operation) + "\n")
		}
	}
	write(t, filepath.Join(dir, "ca.pem"), string(ca))
	write(t, filepath.Join(dir, "cases.jsonl"), cases.String())
	write(t, filepath.Join(dir, "suite.yaml"), fmt.Sprintf(`name: webhooks
native: {cluster: {kubeconfig: %q, namespace: %q}}
declarative:
  crd: %q
  version: v1
  mutate: {webhook: {url: "%[4]s/mutate", caFile: ca.pem}}
  then: {webhook: {url: "%[4]s/validate", caFile: ca.pem}}
cases: [cases.jsonl]
`, plane.Kubeconfig, namespace(t), definition, server.URL))
	out := diffrun(t, dir, "--no-rules", "suite.yaml")
	if out.status != 3 || len(out.report.Results) != 2*len(webhookCases) {
		t.Errorf("exit status %d, %d results\n%s%s", out.status, len(out.report.Results), out.stdout, out.stderr)
	}
	for i, result := range out.report.Results {
		c := webhookCases[i/2]
		faults := result.Native.Fault != "" && result.Declarative.Fault != ""
		refused := len(result.Native.Errors) > 0 && len(result.Declarative.Errors) > 0
		if faults != c.faults || refused != c.refused || !faults && result.Verdict != "equal" {
			t.Errorf("%s: the verdict is %q; want faults %v, refused %v\nthe API server: %s %q\nours: %s %q", result.Case,
				result.Verdict, c.faults, c.refused,
				result.Native.Errors, result.Native.Fault, result.Declarative.Errors, result.Declarative.Fault)
		}
	}
}

// line is the case as a JSON line.
func (c webhookCase) line(t *testing.T, number int, operation string) string {
	t.Helper()
	object := func(annotations map[string]any) map[string]any {
		return map[string]any{
			"apiVersion": "puppets.example.com/v1", "kind": "Puppet", "spec": map[string]any{"size": 1},
			"metadata": map[string]any{"name": fmt.Sprintf("puppet-%d", number), "namespace": "default", "annotations": annotations},
		}
	}
	annotations := map[string]any{}
	for hook, of := range map[string]answer{"mutate": c.mutate, "validate": c.validate} {
		text, err := json.Marshal(of)
		if err != nil {
			t.Fatal(err)
		}
		annotations[hook] = string(text)
	}
	l := line{ID: operation + ": " + c.why, Object: object(annotations)}
	if operation == "UPDATE" {
		l.OldObject = object(map[string]any{})
	}
	text, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// answering serves both webhooks: each returns the answer in the object.
func answering(w http.ResponseWriter, r *http.Request) {
	var review admissionv1.AdmissionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	object := &unstructured.Unstructured{}
	if err := json.Unmarshal(review.Request.Object.Raw, &object.Object); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var says answer
	if text := object.GetAnnotations()[strings.TrimPrefix(r.URL.Path, "/")]; text != "" {
		if err := json.Unmarshal([]byte(text), &says); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
	}
	response := &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: says.Deny == nil, Result: says.Deny}
	if says.Patch != nil {
		response.Patch, _ = json.Marshal(says.Patch) // it was read from JSON
		response.PatchType = ptr.To(admissionv1.PatchTypeJSONPatch)
	}
	review.Request, review.Response = nil, response
	text, err := json.Marshal(review)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if says.Body != "" {
		text = []byte(says.Body)
	}
	w.Header().Set("Content-Type", "application/json")
	if says.HTTP != 0 {
		w.WriteHeader(says.HTTP)
	}
	_, _ = io.Copy(w, bytes.NewReader(text))
}

// registerPuppets registers both webhooks with the API server until the test ends.
func registerPuppets(t *testing.T, url string, ca []byte) {
	t.Helper()
	client, err := kubernetes.NewForConfig(plane.Config)
	if err != nil {
		t.Fatal(err)
	}
	config := func(path string) admissionregistrationv1.WebhookClientConfig {
		return admissionregistrationv1.WebhookClientConfig{URL: ptr.To(url + path), CABundle: ca}
	}
	rules := []admissionregistrationv1.RuleWithOperations{{
		Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create, admissionregistrationv1.Update},
		Rule: admissionregistrationv1.Rule{
			APIGroups:   []string{"puppets.example.com"},
			APIVersions: []string{"v1"},
			Resources:   []string{"puppets"},
		},
	}}
	registration := client.AdmissionregistrationV1()
	mutating, validating := registration.MutatingWebhookConfigurations(), registration.ValidatingWebhookConfigurations()
	if _, err := mutating.Create(t.Context(), &admissionregistrationv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "puppets"},
		Webhooks: []admissionregistrationv1.MutatingWebhook{{
			Name: "mutate.puppets.example.com", ClientConfig: config("/mutate"), Rules: rules,
			FailurePolicy: ptr.To(admissionregistrationv1.Fail),
			SideEffects:   ptr.To(admissionregistrationv1.SideEffectClassNone), AdmissionReviewVersions: []string{"v1"},
		}},
	}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mutating.Delete(context.Background(), "puppets", metav1.DeleteOptions{}) })
	if _, err := validating.Create(t.Context(), &admissionregistrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "puppets"},
		Webhooks: []admissionregistrationv1.ValidatingWebhook{{
			Name: "validate.puppets.example.com", ClientConfig: config("/validate"), Rules: rules,
			FailurePolicy: ptr.To(admissionregistrationv1.Fail),
			SideEffects:   ptr.To(admissionregistrationv1.SideEffectClassNone), AdmissionReviewVersions: []string{"v1"},
		}},
	}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = validating.Delete(context.Background(), "puppets", metav1.DeleteOptions{}) })
	for hook, message := range map[string]string{"mutate": "mutate is asked", "validate": "validate is asked"} {
		untilAsked(t, client, webhookCase{}, hook, message)
	}
}

// untilAsked waits until the API server calls a webhook.
func untilAsked(t *testing.T, client kubernetes.Interface, probe webhookCase, hook, message string) {
	t.Helper()
	says := denied(403, "", message)
	if hook == "mutate" {
		probe.mutate = says
	} else {
		probe.validate = says
	}
	var of line
	if err := json.Unmarshal([]byte(probe.line(t, 0, "CREATE")), &of); err != nil {
		t.Fatal(err)
	}
	object, err := json.Marshal(of.Object)
	if err != nil {
		t.Fatal(err)
	}
	var last error
	err = wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		last = client.Discovery().RESTClient().Post().AbsPath("/apis/puppets.example.com/v1/namespaces/default/puppets").Param(
			"dryRun", "All").Body(object).Do(ctx).Error()
		return last != nil && strings.Contains(last.Error(), message), nil
	})
	if err != nil {
		t.Fatalf("no refusal that says %q: %v; last answer: %v", message, err, last)
	}
}
