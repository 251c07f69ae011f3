package cluster_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/native/cluster"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// subresources answers as an API server does about requests to subresources of objects in the namespace scratch.
type subresources struct {
	exists bool // the object that the request is about
	deny   *metav1.Status
	asked  []string
}

func (s *subresources) handle(w http.ResponseWriter, r *http.Request) bool {
	write := func(code int, answer any) bool {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_ = json.NewEncoder(w).Encode(answer)
		return true
	}
	steps := strings.Split(strings.TrimPrefix(r.URL.Path, "/api/v1"), "/")
	if len(steps) < 6 { // /namespaces/scratch/pods/web/exec
		if r.URL.Path != "/api/v1" && len(steps) != 5 {
			return false
		}
		if len(steps) == 5 && s.exists {
			return write(http.StatusOK, map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": steps[4]}})
		}
		if len(steps) == 5 {
			return write(http.StatusNotFound, notFound(steps[3], steps[4]))
		}
		return write(http.StatusOK, metav1.APIResourceList{GroupVersion: "v1", APIResources: []metav1.APIResource{
			{Name: "pods/exec", Namespaced: true}, {Name: "pods/binding", Namespaced: true},
			{Name: "serviceaccounts/token", Namespaced: true}, {Name: "nodes/proxy"}, {Name: "services/proxy", Namespaced: true},
		}})
	}
	s.asked = append(s.asked, r.Method+" "+r.URL.Path+"?"+strings.TrimSuffix(r.URL.RawQuery, "&timeout=30s")+" as "+
		r.Header.Get("Impersonate-User"))
	if s.deny != nil {
		return write(int(s.deny.Code), s.deny)
	}
	return write(http.StatusNotFound, notFound(steps[3], steps[4]))
}

func notFound(resource, name string) *metav1.Status {
	return &metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure, Code: http.StatusNotFound,
		Reason:  metav1.StatusReasonNotFound,
		Message: resource + ` "` + name + `" not found`, Details: &metav1.StatusDetails{Kind: resource, Name: name},
	}
}

// TestSubresources: admission decides before the API server looks for the object, so "not found" is an admission.
func TestSubresources(t *testing.T) {
	exec := map[string]any{"apiVersion": "v1", "kind": "PodExecOptions", "command": []any{"ls", "-l"}, "stdin": true}
	proxy := func(path string) map[string]any {
		return map[string]any{"apiVersion": "v1", "kind": "ServiceProxyOptions", "path": path}
	}
	status := metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
	denied := &metav1.Status{TypeMeta: status, Status: metav1.StatusFailure, Code: http.StatusUnprocessableEntity,
		Reason:  metav1.StatusReasonInvalid,
		Message: `pods "web" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no shells`}
	unwrapped := &metav1.Status{
		TypeMeta: status,
		Status:   metav1.StatusFailure,
		Code:     http.StatusInternalServerError,
		Message:  "target.name: Required value",
	}
	unavailable := func(message string) *metav1.Status {
		return &metav1.Status{
			TypeMeta: status,
			Status:   metav1.StatusFailure,
			Code:     http.StatusServiceUnavailable,
			Reason:   metav1.StatusReasonServiceUnavailable,
			Message:  message,
		}
	}
	for _, tt := range []struct {
		why, kind, subresource, resource string
		object                           map[string]any
		server                           subresources
		want, fault, asked               string
	}{
		{"a command that is admitted", "PodExecOptions", "exec", "pods", exec, subresources{}, "", "",
			"POST /api/v1/namespaces/scratch/pods/web/exec?command=ls&command=-l&stdin=true as alice"},
		{"a command that is denied", "PodExecOptions", "exec", "pods", exec, subresources{deny: denied},
			": Invalid value: no shells", "", "POST /api/v1/namespaces/scratch/pods/web/exec?command=ls&command=-l&stdin=true as alice"},
		{"the object is there, and would get the request", "PodExecOptions", "exec", "pods", exec, subresources{exists: true},
			"", `a CONNECT has no dry run, and pods "web" is in the cluster`, ""},
		{"a binding that is admitted", "Binding", "binding", "pods", map[string]any{
			"apiVersion": "v1",
			"kind":       "Binding",
			"metadata":   map[string]any{"name": "web"},
		}, subresources{}, "", "",
			"POST /api/v1/namespaces/scratch/pods/web/binding?dryRun=All&fieldManager=diffrun&fieldValidation=Ignore as alice"},
		{"errors without a status", "Binding", "binding", "pods", map[string]any{
			"apiVersion": "v1",
			"kind":       "Binding",
			"metadata":   map[string]any{"name": "web"},
		}, subresources{deny: unwrapped}, "target.name: Required value", "",
			"POST /api/v1/namespaces/scratch/pods/web/binding?dryRun=All&fieldManager=diffrun&fieldValidation=Ignore as alice"},
		{"a token of no account: the handler looks for it first", "TokenRequest", "token", "serviceaccounts",
			map[string]any{"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "metadata": map[string]any{"name": "web"}},
			subresources{}, "", "the cluster does not have what the request needs",
			"POST /api/v1/namespaces/scratch/serviceaccounts/web/token?dryRun=All&fieldManager=diffrun&fieldValidation=Ignore as alice"},
		{"a path below a proxy", "ServiceProxyOptions", "proxy", "services", proxy("healthz/live"), subresources{}, "", "",
			"POST /api/v1/namespaces/scratch/services/web/proxy/healthz/live?timeout=30s as alice"},
		{"a Service without endpoints: admission decided before", "ServiceProxyOptions", "proxy", "services", proxy(""),
			subresources{deny: unavailable(`no endpoints available for service "web"`)}, "", "",
			"POST /api/v1/namespaces/scratch/services/web/proxy?timeout=30s as alice"},
		{"endpoints of another Service, as of a webhook", "ServiceProxyOptions", "proxy", "services", proxy(""),
			subresources{deny: unavailable(`no endpoints available for service "hook"`)}, "", "the cluster returned no verdict",
			"POST /api/v1/namespaces/scratch/services/web/proxy?timeout=30s as alice"},
		{"an unavailable Pod", "PodExecOptions", "exec", "pods", exec,
			subresources{deny: unavailable(`no endpoints available for service "web"`)}, "", "the cluster returned no verdict",
			"POST /api/v1/namespaces/scratch/pods/web/exec?command=ls&command=-l&stdin=true as alice"},
		{"a path that leaves the proxy, to an object that may be there", "ServiceProxyOptions", "proxy", "services",
			proxy("../../other/proxy"), subresources{}, "", ".. leaves the subresource", ""},
		{"a subresource that is not served", "PodProxyOptions", "proxy", "pods",
			map[string]any{"apiVersion": "v1", "kind": "PodProxyOptions"}, subresources{}, "", "the cluster serves no pods/proxy", ""},
	} {
		t.Run(tt.why, func(t *testing.T) {
			s := newServer(t)
			s.Before = tt.server.handle
			b := open(t, cluster.Options{Kubeconfig: kubeconfig(t, s), Namespace: "scratch"})
			in := &harness.Input{Object: contract.NewView(tt.object), Request: harness.Request{
				Version:  schema.FromAPIVersionAndKind(tt.object["apiVersion"].(string), tt.kind),
				Resource: schema.GroupVersionResource{Version: "v1", Resource: tt.resource}, Subresource: tt.subresource,
				Name: "web", Operation: admissionv1.Create, User: &harness.User{Name: "alice"},
			}}
			if strings.HasSuffix(tt.kind, "Options") {
				in.Operation = admissionv1.Connect
			}
			errs, fault := b.Validate(t.Context(), in)
			var got []string
			for _, err := range errs {
				got = append(got, err.Error())
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "; ")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if (fault == nil) != (tt.fault == "") || fault != nil && !strings.Contains(fault.Error(), tt.fault) {
				t.Errorf("fault %v, want %q", fault, tt.fault)
			}
			if diff := cmp.Diff(tt.asked, strings.Join(tt.server.asked, "; ")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
