package webhook_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/metrics"
	"github.com/diffrun/diffrun/shadow"
	"github.com/diffrun/diffrun/shadow/webhook"
)

// definition is the schema beside the validator of Widgets: it also rejects sizes over 9.
const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.dev}
spec:
  group: example.dev
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          size: {type: integer, minimum: 0, maximum: 9}
`

var version = schema.GroupVersionKind{Group: "example.dev", Version: "v1", Kind: "Widget"}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Size              int64 `json:"size"`
}

func (w *Widget) DeepCopyObject() runtime.Object { same := *w; return &same }

// validator rejects negative sizes, warns of a size of 1, rejects 2 with code 500 and forbids shrinking.
type validator struct{}

func (validator) ValidateCreate(_ context.Context, w *Widget) (admission.Warnings, error) {
	switch {
	case w.Size == 1:
		return admission.Warnings{"one is small"}, nil
	case w.Size == 2:
		return nil, apierrors.NewInternalError(fmt.Errorf("the cache is not synced"))
	case w.Size == 7:
		panic("oh")
	case w.Size < 0:
		return nil, apierrors.NewInvalid(version.GroupKind(), w.Name,
			field.ErrorList{field.Invalid(field.NewPath("size"), w.Size, "must be greater than or equal to 0")})
	}
	return nil, nil
}

func (v validator) ValidateUpdate(ctx context.Context, old, w *Widget) (admission.Warnings, error) {
	if w.Size < old.Size {
		return nil, apierrors.NewInvalid(version.GroupKind(), w.Name,
			field.ErrorList{field.Forbidden(field.NewPath("size"), "may not shrink")})
	}
	return v.ValidateCreate(ctx, w)
}

func (validator) ValidateDelete(context.Context, *Widget) (admission.Warnings, error) {
	return nil, apierrors.NewForbidden(schema.GroupResource{Group: "example.dev", Resource: "widgets"}, "", fmt.Errorf("never"))
}

func newShadow(t *testing.T, options shadow.Options) (*shadow.Shadow, *metrics.Metrics) {
	t.Helper()
	target, err := customresource.NewTarget([]byte(definition), shadow.Native{})
	if err != nil {
		t.Fatal(err)
	}
	options.Metrics, options.Logger = metrics.New(), slog.New(slog.DiscardHandler)
	s, err := shadow.New(target, options)
	if err != nil {
		t.Fatal(err)
	}
	return s, options.Metrics
}

// wrappers are the three ways to put a Shadow around the same validator.
func wrappers() map[string]func(*shadow.Shadow) http.Handler {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(version.GroupVersion(), &Widget{})
	bare := func() *admission.Webhook { return admission.WithValidator[*Widget](scheme, validator{}) }
	return map[string]func(*shadow.Shadow) http.Handler{
		"Validator": func(s *shadow.Shadow) http.Handler {
			return admission.WithValidator(scheme, webhook.Validator[*Widget](s, validator{}))
		},
		"Handler": func(s *shadow.Shadow) http.Handler {
			return &admission.Webhook{Handler: webhook.Handler(s, bare())}
		},
		"HTTPHandler": func(s *shadow.Shadow) http.Handler { return webhook.HTTPHandler(s, bare()) },
	}
}

func widget(size int) string {
	return fmt.Sprintf(`{"apiVersion":"example.dev/v1","kind":"Widget","metadata":{"name":"w","namespace":"n"},"size":%d}`, size)
}

// send posts an AdmissionReview and returns the answer.
func send(t *testing.T, server *httptest.Server, reviewVersion, operation, object, old string) string {
	t.Helper()
	text := fmt.Sprintf(`{"apiVersion":"admission.k8s.io/%s","kind":"AdmissionReview","request":{"uid":"u1","operation":%q,
		"kind":{"group":"example.dev","version":"v1","kind":"Widget"},"resource":{"group":"example.dev","version":"v1",`+
		`"resource":"widgets"},
		"name":"w","namespace":"n","object":%s,"oldObject":%s}}`, reviewVersion, operation, object, old)
	response, err := server.Client().Post(server.URL, "application/json", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var review struct {
		APIVersion string
		Response   struct {
			UID      string
			Allowed  bool
			Warnings []string
			Status   metav1.Status
		}
	}
	if err := json.Unmarshal(body, &review); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	answer := review.Response
	return fmt.Sprintf("%d %s %s allowed=%v %v %d %s", response.StatusCode, review.APIVersion, answer.UID, answer.Allowed,
		answer.Warnings, answer.Status.Code, answer.Status.Message)
}

// TestAnswersAreKept: the answers to the API server do not change, whatever the schema returns.
func TestAnswersAreKept(t *testing.T) {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(version.GroupVersion(), &Widget{})
	plain := httptest.NewTLSServer(admission.WithValidator[*Widget](scheme, validator{}))
	defer plain.Close()
	for name, wrap := range wrappers() {
		t.Run(name, func(t *testing.T) {
			s, m := newShadow(t, shadow.Options{})
			server := httptest.NewTLSServer(wrap(s))
			defer server.Close()
			for _, row := range []struct{ why, reviewVersion, operation, object, old, counted string }{
				{"both accept", "v1", "CREATE", widget(5), "null", "equal none"},
				{"accepted with a warning", "v1", "CREATE", widget(1), "null", "equal none"},
				{"both refuse", "v1", "CREATE", widget(-1), "null", "equivalent none"},
				{"only the schema rejects it", "v1", "CREATE", widget(10), "null", "different refuses"},
				{"only the validator rejects it", "v1", "UPDATE", widget(3), widget(4), "different admits"},
				{"an older API server", "v1beta1", "CREATE", widget(10), "null", "different refuses"},
				{"a denial is one, whatever its code is", "v1", "CREATE", widget(2), "null", "different admits"},
				{"a panic is no verdict", "v1", "CREATE", widget(7), "null", ""},
				{"a deletion is not for a schema", "v1", "DELETE", "null", widget(5), ""},
			} {
				before := verdicts(t, m)
				want, got := send(t, plain, row.reviewVersion, row.operation, row.object, row.old), send(t, server, row.reviewVersion,
					row.operation, row.object, row.old)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s: -plain +shadow:\n%s", row.why, diff)
				}
				var counted []string
				for verdict, n := range verdicts(t, m) {
					if n > before[verdict] {
						counted = append(counted, verdict)
					}
				}
				if strings.Join(counted, ",") != row.counted {
					t.Errorf("%s: counted %q; wanted %q", row.why, counted, row.counted)
				}
			}
		})
	}
}

// verdicts are the counted cases, by verdict and effect.
func verdicts(t *testing.T, m *metrics.Metrics) map[string]float64 {
	t.Helper()
	families, err := m.Gatherer().Gather()
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]float64{}
	for _, family := range families {
		if family.GetName() != "apiserver_declarative_validation_cases_total" {
			continue
		}
		for _, sample := range family.GetMetric() {
			labels := map[string]string{}
			for _, label := range sample.GetLabel() {
				labels[label.GetName()] = label.GetValue()
			}
			counts[labels["verdict"]+" "+labels["effect"]] += sample.GetCounter().GetValue()
		}
	}
	return counts
}

// TestSchemaDecides: with Enforce, the answer has the errors of the schema.
func TestSchemaDecides(t *testing.T) {
	for name, wrap := range wrappers() {
		t.Run(name, func(t *testing.T) {
			s, _ := newShadow(t, shadow.Options{Enforce: true})
			server := httptest.NewTLSServer(wrap(s))
			defer server.Close()
			for _, row := range []struct{ why, object, old, want string }{
				{"only the schema rejects it", widget(10), "null",
					"size: Invalid value: 10: size in body should be less than or equal to 9"},
				{"the text of the schema, if both mean the same", widget(-1), "null",
					"size: Invalid value: -1: size in body should be greater than or equal to 0"},
				{"errors that the schema does not know stay", widget(3), widget(4), "size: Forbidden: may not shrink"},
				{"accepted", widget(4), "null", ""},
			} {
				operation := "CREATE"
				if row.old != "null" {
					operation = "UPDATE"
				}
				got := send(t, server, "v1", operation, row.object, row.old)
				if !strings.Contains(got, row.want) || (row.want == "") != strings.Contains(got, "allowed=true") ||
					!strings.Contains(got, "v1 u1 ") {
					t.Errorf("%s: %s", row.why, got)
				}
			}
		})
	}
}

// TestStatusOfAnswers: the schema decides about each answer that the API server accepts. An informational
// HTTP status before the answer does not count.
func TestStatusOfAnswers(t *testing.T) {
	s, _ := newShadow(t, shadow.Options{Enforce: true})
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(version.GroupVersion(), &Widget{})
	plain := admission.WithValidator[*Widget](scheme, validator{})
	for _, status := range []int{http.StatusProcessing, http.StatusOK, http.StatusAccepted} {
		server := httptest.NewTLSServer(webhook.HTTPHandler(s, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			plain.ServeHTTP(w, r)
		})))
		defer server.Close()
		if got := send(t, server, "v1", "CREATE", widget(10), "null"); !strings.Contains(got, "allowed=false") {
			t.Errorf("status %d: the schema refuses the object, and the answer is %s", status, got)
		}
	}
}

// TestOtherRequests: requests and answers that are not AdmissionReviews are left to the handler.
func TestOtherRequests(t *testing.T) {
	s, _ := newShadow(t, shadow.Options{})
	var got []byte
	server := httptest.NewTLSServer(webhook.HTTPHandler(s, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got, _ = io.ReadAll(r.Body)
		w.Header().Set("X-Seen", "yes")
		w.WriteHeader(http.StatusTeapot)
		w.WriteHeader(http.StatusOK) // too late
	})))
	defer server.Close()
	for _, body := range [][]byte{
		[]byte("hello"),
		[]byte(`{"kind":"AdmissionReview"}`),
		[]byte(`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{}}`),
		nil,
		bytes.Repeat([]byte("x"), 17<<20),
	} {
		response, err := server.Client().Post(server.URL, "text/plain", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusTeapot || response.Header.Get("X-Seen") != "yes" || !bytes.Equal(got, body) {
			t.Errorf("a body of %d bytes: status %d, %d bytes seen", len(body), response.StatusCode, len(got))
		}
	}
}
