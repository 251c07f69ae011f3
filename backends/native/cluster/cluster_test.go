package cluster_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/native/cluster"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/testing/fakecluster"
	"github.com/diffrun/diffrun/internal/testing/onecase"
)

var widget = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}

// TestAnswers reads recorded answers of kube-apiserver 1.36.
func TestAnswers(t *testing.T) {
	s := newServer(t)
	b := open(t, cluster.Options{Kubeconfig: kubeconfig(t, s)})
	for _, tt := range []struct{ why, answer, want, fault string }{
		{"no answer but success", "", "", ""},
		{"the definition", "invalid", "spec.size: Invalid value: \"\": spec.size in body should be less than or equal to 10; " +
			"spec.name: Required value", ""},
		{"a policy", "policy", "<nil>: Invalid value: size must be small", ""},
		{"a policy with a reason that is its own status code", "policy-unauthorized", "<nil>: Forbidden: not you", ""},
		{"a webhook with causes", "webhook-causes", "spec.size: Invalid value: must be small", ""},
		{"a webhook with an aggregate", "webhook-aggregate", "spec.size: Invalid value: must be small; spec.name: Required value", ""},
		{"a webhook with a text", "webhook-text", "<nil>: Invalid value: size is too large", ""},
		{"a webhook without a message", "webhook-mute", "<nil>: Invalid value", ""},
		{"an admission plugin", "quota", "<nil>: Invalid value: exceeded quota: few, requested: count/widgets.example.com=1, " +
			"used: count/widgets.example.com=0, limited: count/widgets.example.com=0", ""},
		{"an object that cannot be decoded", "bad-request", `<nil>: Invalid value: Deployment in version "v1" cannot be handled ` +
			`as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32`, ""},
		{"a webhook that panicked: the API server refuses", "webhook-broke", "<nil>: Invalid value: panic: runtime error: " +
			"index out of range [recovered]", ""},
		{"a webhook that returns \"already exists\"", "webhook-exists", "<nil>: Invalid value: another widget is like it", ""},
		{"a webhook that returns only a reason", "webhook-reason", "<nil>: Invalid value", ""},
		{"a webhook that is gone", "webhook-gone", "", `the cluster returned no verdict: Internal error occurred: ` +
			`failed calling webhook "widgets.example.com"`},
		{"a webhook that does not support dry runs", "dry-run", "", `the webhook "effects.example.com" does not support dry runs, ` +
			`so no verdict is possible; its configuration must say sideEffects: None or NoneOnDryRun`},
		{"no right", "no-right", "", `the user of the kubeconfig has no right to do this: widgets.example.com is forbidden: ` +
			`User "jane" cannot create resource "widgets" in API group "example.com" in the namespace "scratch"`},
		{"no user", "unauthorized", "", `the cluster does not know the user of the kubeconfig: Unauthorized`},
		{"no namespace", "no-namespace", "", `the cluster does not have what the request needs: namespaces "elsewhere" not found`},
		{"a namespace that is being deleted", "terminating", "", `the cluster returned no verdict: widgets.example.com "a" is ` +
			`forbidden: unable to create new content in namespace scratch because it is being terminated`},
	} {
		t.Run(tt.why, func(t *testing.T) {
			errs, err := b.Validate(t.Context(), input(object("a", tt.answer), nil))
			check(t, errs, err, tt.want, tt.fault)
		})
	}
	if stored := s.Stored(); len(stored) > 0 {
		t.Errorf("stored: %v", stored)
	}
	for line := range strings.Lines(s.Requests()) {
		if want := "POST /namespaces/home/widgets a dryRun"; strings.TrimSpace(line) != want {
			t.Errorf("%q was sent; want only %q", line, want)
		}
	}
}

// check compares an outcome: errors without their bad values, and the prefix of a fault.
func check(t *testing.T, errs field.ErrorList, err error, want, fault string) {
	t.Helper()
	if fault != "" || err != nil {
		if err == nil || fault == "" || !strings.HasPrefix(err.Error(), fault) {
			t.Errorf("fault: got %v, want %s…", err, fault)
		}
		return
	}
	var got []string
	for _, err := range errs {
		of := *err
		of.BadValue = field.OmitValueType{}
		if of.Type == field.ErrorTypeInvalid && strings.HasPrefix(of.Detail, "spec.size in body") {
			of.BadValue = ""
		}
		if of.Field == "" {
			of.Field = "<nil>"
		}
		got = append(got, of.Error())
	}
	if diff := cmp.Diff(want, strings.Join(got, "; ")); diff != "" {
		t.Errorf("errors: -want +got:\n%s", diff)
	}
}

// TestReplaces: the old object is stored in the scratch namespace and removed afterwards, whatever the
// verdict is; every other request is a dry run.
func TestReplaces(t *testing.T) {
	s := newServer(t)
	b := open(t, cluster.Options{Kubeconfig: kubeconfig(t, s), Namespace: "scratch"})
	finalized := object("a", "")
	finalized["metadata"].(map[string]any)["finalizers"] = []any{"example.com/held"}
	withStatus := object("a", "")
	withStatus["status"] = map[string]any{"ready": true}
	refusedOld := object("a", "invalid")
	stale := object("a", "")
	stale["metadata"].(map[string]any)["resourceVersion"] = "77"
	for _, tt := range []struct {
		why         string
		in          *harness.Input
		want, fault string
		requests    []string
	}{
		{"an update", input(object("a", ""), object("a", "")), "", "",
			[]string{"POST /namespaces/scratch/widgets a", "PUT /namespaces/scratch/widgets/a dryRun",
				"DELETE /namespaces/scratch/widgets/a"}},
		{"one that is refused", input(object("a", "webhook-causes"), object("a", "")), "spec.size: Invalid value: must be small", "",
			[]string{"POST /namespaces/scratch/widgets a", "PUT /namespaces/scratch/widgets/a dryRun",
				"DELETE /namespaces/scratch/widgets/a"}},
		{"finalizers are taken off", input(object("a", ""), finalized), "", "",
			[]string{
				"POST /namespaces/scratch/widgets a",
				"PUT /namespaces/scratch/widgets/a dryRun",
				"DELETE /namespaces/scratch/widgets/a",
				"PATCH /namespaces/scratch/widgets/a",
				"DELETE /namespaces/scratch/widgets/a",
			}},
		{"the old status is stored, too", on("status", input(object("a", ""), withStatus)), "", "",
			[]string{
				"POST /namespaces/scratch/widgets a",
				"PUT /namespaces/scratch/widgets/a/status",
				"PUT /namespaces/scratch/widgets/a/status dryRun",
				"DELETE /namespaces/scratch/widgets/a",
			}},
		{"a scale goes to its endpoint",
			on("scale", input(map[string]any{
				"apiVersion": "autoscaling/v1",
				"kind":       "Scale",
				"metadata":   map[string]any{"name": "a"},
				"spec":       map[string]any{"replicas": int64(3)},
			}, object("a", ""))), "", "",
			[]string{
				"POST /namespaces/scratch/widgets a",
				"PUT /namespaces/scratch/widgets/a/scale dryRun",
				"DELETE /namespaces/scratch/widgets/a",
			}},
		{"an object of a different cluster", input(stale, stale), "", "",
			[]string{"POST /namespaces/scratch/widgets a", "PUT /namespaces/scratch/widgets/a dryRun",
				"DELETE /namespaces/scratch/widgets/a"}},
		{"a create goes to the scratch namespace", input(object("a", ""), nil), "", "",
			[]string{"POST /namespaces/scratch/widgets a dryRun"}},
		{"an old object that the cluster refuses", input(object("a", ""), refusedOld), "",
			"the cluster does not accept the old object widgets scratch/a, so it cannot be updated: [spec.size: Invalid value",
			[]string{"POST /namespaces/scratch/widgets a"}},
		{"a rename", input(object("b", ""), object("a", "")), "", `the old object is named "a" and the new one "b"; ` +
			`an update keeps the name`, nil},
		{"a cluster-scoped kind", of("Gadget", input(object("a", ""), object("a", ""))), "",
			"Gadget is not namespaced, so its old object cannot be stored in the scratch namespace", nil},
		{"a create of one", of("Gadget", input(object("a", ""), nil)), "", "", []string{"POST /gadgets a dryRun"}},
	} {
		t.Run(tt.why, func(t *testing.T) {
			errs, err := b.Validate(t.Context(), tt.in)
			check(t, errs, err, tt.want, tt.fault)
			if diff := cmp.Diff(strings.Join(tt.requests, "\n"), s.Requests()); diff != "" {
				t.Errorf("requests: -want +got:\n%s", diff)
			}
			if stored := s.Stored(); len(stored) > 0 {
				t.Errorf("left: %v", stored)
			}
		})
	}
	t.Run("a deletion", func(t *testing.T) {
		// The recorded answer is for the deletion; the store must not return it.
		s.Before = func(_ http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodDelete {
				s.Annotate("scratch/a", map[string]string{"answer": "policy"})
			}
			return false
		}
		deletion := input(object("a", ""), object("a", ""))
		deletion.Operation = "DELETE"
		errs, err := b.Validate(t.Context(), deletion)
		check(t, errs, err, "<nil>: Invalid value: size must be small", "")
		if stored := s.Stored(); len(stored) > 0 {
			t.Errorf("left: %v", stored)
		}
	})
}

// TestRefusals: requests that the backend refuses to send.
func TestRefusals(t *testing.T) {
	s := newServer(t)
	update := input(object("a", ""), object("a", ""))
	for _, tt := range []struct {
		why     string
		options cluster.Options
		in      *harness.Input
		fault   string
	}{
		{"an update without a scratch namespace", cluster.Options{}, update, "a case with an old object needs the key namespace"},
		{"a scratch namespace that is not there", cluster.Options{Namespace: "nowhere"}, update,
			`the scratch namespace "nowhere" does not exist; create it: kubectl create namespace nowhere`},
		{"a kind that the cluster does not have", cluster.Options{}, of("Gizmo", input(object("a", ""), nil)),
			"the cluster serves example.com/v1, but no Gizmo in it; apply its definition first"},
		{"a group that it does not have", cluster.Options{}, version("v2", input(object("a", ""), nil)),
			"the cluster does not serve example.com/v2, so it has no Widget; apply its definition first"},
		{"a kind that cannot be created", cluster.Options{}, of("Review", input(object("a", ""), nil)),
			"the cluster serves no create of example.com/v1 Review; it serves get"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			tt.options.Kubeconfig = kubeconfig(t, s)
			errs, err := open(t, tt.options).Validate(t.Context(), tt.in)
			check(t, errs, err, "", tt.fault)
			if log := s.Requests(); log != "" {
				t.Errorf("sent: %s", log)
			}
		})
	}
	t.Run("a namespace with objects of the kind", func(t *testing.T) {
		full := open(t, cluster.Options{Kubeconfig: kubeconfig(t, s), Namespace: "full"})
		s.Put("full", document(object("mine", "")))
		errs, err := full.Validate(t.Context(), update)
		check(t, errs, err, "", `the namespace "full" has widgets already ("mine"), so it is not used as scratch; name an empty namespace`)
		if stored := s.Stored(); len(stored) != 1 {
			t.Errorf("stored: %v", stored)
		}
	})
}

// TestGone: if a cluster disappears during a run, each later case is a fault at once, and cases are sent
// again when the cluster is back.
func TestGone(t *testing.T) {
	s := newServer(t)
	b := open(t, cluster.Options{Kubeconfig: kubeconfig(t, s)})
	in := input(object("a", ""), nil)
	if _, err := b.Validate(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	s.CloseClientConnections()
	s.Listener.Close()
	for range 3 {
		_, err := b.Validate(t.Context(), in)
		if err == nil || !strings.HasPrefix(err.Error(), "the cluster "+s.URL+" cannot be reached: ") ||
			strings.Count(err.Error(), "cannot be reached") != 1 {
			t.Errorf("got %v", err)
		}
	}
}

// TestInterrupt: closing the backend ends running cases and removes their objects; later cases are not sent.
func TestInterrupt(t *testing.T) {
	s := newServer(t)
	arrived, ended, cases := make(chan struct{}), make(chan struct{}), sync.WaitGroup{}
	defer close(ended)
	s.Before = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPut {
			return false
		}
		close(arrived)
		<-ended // the update is not answered
		return true
	}
	b := open(t, cluster.Options{Kubeconfig: kubeconfig(t, s), Namespace: "scratch"})
	cases.Go(func() {
		if errs, err := b.Validate(t.Context(), input(object("a", ""), object("a", ""))); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, %v", errs, err)
		}
	})
	<-arrived
	if stored := s.Stored(); len(stored) != 1 {
		t.Errorf("stored: %v", stored)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if stored := s.Stored(); len(stored) != 0 {
		t.Errorf("left: %v", stored)
	}
	cases.Wait()
	if _, err := b.Validate(t.Context(), input(object("a", ""), nil)); err == nil {
		t.Error("a case was sent after the end")
	}
}

// TestLostAnswer: if the answer to storing an object is lost, the backend looks for the object and removes
// it.
func TestLostAnswer(t *testing.T) {
	s := newServer(t)
	b := open(t, cluster.Options{Kubeconfig: kubeconfig(t, s), Namespace: "scratch"})
	s.Before = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost || fakecluster.DryRun(r) {
			return false
		}
		r.SetPathValue("namespace", "scratch")
		s.Collection(discard{http.Header{}}, r)
		connection, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			connection.Close()
		}
		return true
	}
	_, err := b.Validate(t.Context(), input(object("a", ""), object("a", "")))
	if err == nil || !strings.Contains(err.Error(), "storing the old object widgets scratch/a") {
		t.Errorf("got %v", err)
	}
	if stored := s.Stored(); len(stored) != 0 {
		t.Errorf("left: %v", stored)
	}
}

type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(p []byte) (int, error) { return len(p), nil }
func (d discard) WriteHeader(int)             {}

// TestWarnings: warnings of the API server are part of the answer, not of a log.
func TestWarnings(t *testing.T) {
	s := newServer(t)
	s.Before = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost {
			w.Header().Set("Warning", `299 - "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': size should be small"`)
		}
		return false
	}
	b := open(t, cluster.Options{Kubeconfig: kubeconfig(t, s)})
	target := &harness.Target{
		Kind: widget.GroupKind(), Scheme: asSent{},
		Versions: []harness.Version{{GroupVersionKind: widget, Native: b, Declarative: b}},
	}
	results := onecase.Results(t, target, harness.Case{Object: object("a", "")})
	want := []string{"Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': size should be small"}
	if diff := cmp.Diff(want, results[0].Native.Warnings); diff != "" || results[0].Native.Fault != nil {
		t.Errorf("fault %v, -want +got:\n%s", results[0].Native.Fault, diff)
	}
}

// asSent is a harness.Scheme that leaves objects unchanged.
type asSent struct{}

func (asSent) Decode(document map[string]any, _ schema.GroupVersionKind) (any, error) {
	return document, nil
}

func (asSent) Default(_ context.Context, _ harness.Request, object, old any) (any, any, error) {
	return object, old, nil
}

func (asSent) Convert(object any, _ schema.GroupVersionKind) (any, error) { return object, nil }

// TestStuck: objects that cannot be removed are reported by the case and at the end.
func TestStuck(t *testing.T) {
	s := newServer(t)
	b := open(t, cluster.Options{Kubeconfig: kubeconfig(t, s), Namespace: "scratch"})
	s.Before = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodDelete {
			return false
		}
		go s.CloseClientConnections()
		s.Listener.Close()
		fakecluster.Refuse(w, http.StatusForbidden, "Forbidden", `widgets.example.com "a" is forbidden: User "jane" cannot `+
			`delete resource "widgets" in API group "example.com" in the namespace "scratch"`)
		return true
	}
	cluster.SetPatience(t, b)
	_, err := b.Validate(t.Context(), input(object("a", ""), object("a", "")))
	if want := "widgets scratch/a was stored and could not be removed; remove it: kubectl delete -n scratch widgets a"; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
	if err := b.Close(); err == nil || !strings.Contains(err.Error(), "widgets scratch/a was stored") {
		t.Errorf("at the end: %v", err)
	}
}

// TestOptions: mistakes in the kubeconfig and the options, each with the accepted values.
func TestOptions(t *testing.T) {
	s := newServer(t)
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, []byte("apiVersion: v1\nkind: Config\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		why     string
		options cluster.Options
		want    string
	}{
		{"a file that is not there", cluster.Options{Kubeconfig: "nowhere"}, "kubeconfig: stat nowhere: no such file or directory"},
		{"a file without contexts", cluster.Options{Kubeconfig: empty},
			"kubeconfig: " + empty + " has no context; name the file of a cluster with the key kubeconfig"},
		{"a different context", cluster.Options{Kubeconfig: kubeconfig(t, s), Context: "production"},
			`context: there is no context "production"; there are test`},
		{"a namespace that does not exist", cluster.Options{Kubeconfig: kubeconfig(t, s), Namespace: "A B"},
			`namespace "A B": a lowercase RFC 1123 label`},
	} {
		if _, err := cluster.New(tt.options); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s…", tt.why, err, tt.want)
		}
	}
}

// TestIntent: the message that users see before the first case.
func TestIntent(t *testing.T) {
	s := newServer(t)
	for namespace, want := range map[string]string{
		"": "cluster " + s.URL + ` (context "test"): every case is sent with dryRun=All; nothing is stored, ` +
			`so cases that update or delete are faults`,
		"scratch": "cluster " + s.URL + ` (context "test"): every case is sent with dryRun=All in the namespace "scratch"; ` +
			`the old object of a case that updates or deletes is stored there and removed afterwards, and controllers of the ` +
			`cluster may act on it meanwhile`,
	} {
		if diff := cmp.Diff(want, open(t, cluster.Options{Kubeconfig: kubeconfig(t, s), Namespace: namespace}).Intent()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}
