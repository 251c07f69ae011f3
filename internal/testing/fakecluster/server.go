// Package fakecluster is a TLS server that replaces an API server in tests.
//
// It serves example.com/v1: Widget (with status and scale), the cluster-scoped Gadget, and Review,
// which cannot be created. It stores widgets. If an object has the annotation "answer", it answers
// a request that an API server would validate with the recorded answer of that name: a file of the
// directory answers, from kube-apiserver 1.36.
package fakecluster

import (
	"embed"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

//go:embed answers/*.json
var answers embed.FS

// Server is a running server. Close it after the test.
type Server struct {
	*httptest.Server
	// Before, if set, runs before a request is handled; true: it handled the request.
	Before func(http.ResponseWriter, *http.Request) bool

	report func(format string, args ...any)

	mu sync.Mutex
	// objects are keyed by "namespace/name".
	objects map[string]*unstructured.Unstructured
	// log has a line for each request that writes or would write.
	log []string
	// serial makes resource versions and UIDs.
	serial int
}

// New starts a server, which reports requests that it cannot read.
func New(report func(format string, args ...any)) *Server {
	s := &Server{report: report, objects: map[string]*unstructured.Unstructured{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /apis/example.com/v1", s.discover)
	mux.HandleFunc("GET /api/v1/namespaces/{namespace}", s.namespace)
	mux.HandleFunc("/apis/example.com/v1/namespaces/{namespace}/widgets", s.Collection)
	mux.HandleFunc("/apis/example.com/v1/namespaces/{namespace}/widgets/{name}", s.item)
	mux.HandleFunc("/apis/example.com/v1/namespaces/{namespace}/widgets/{name}/{subresource}", s.item)
	mux.HandleFunc("POST /apis/example.com/v1/gadgets", s.Collection)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "404 page not found", http.StatusNotFound) })
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.Before == nil || !s.Before(w, r) {
			mux.ServeHTTP(w, r)
		}
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // tests break connections
	s.StartTLS()
	return s
}

// Kubeconfig returns a file with the context "test" and the namespace "home".
func (s *Server) Kubeconfig() string {
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	return fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: test
clusters: [{name: c, cluster: {server: %q, certificate-authority-data: %s}}]
users: [{name: u, user: {token: secret}}]
contexts: [{name: test, context: {cluster: c, user: u, namespace: home}}]
`, s.URL, base64.StdEncoding.EncodeToString(authority))
}

// Put stores an object.
func (s *Server) Put(namespace string, object *unstructured.Unstructured) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects[namespace+"/"+object.GetName()] = object
}

// Annotate changes the annotations of a stored object, if it exists.
func (s *Server) Annotate(key string, annotations map[string]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if there := s.objects[key]; there != nil {
		there.SetAnnotations(annotations)
	}
}

// Requests returns the log and clears it.
func (s *Server) Requests() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	log := strings.Join(s.log, "\n")
	s.log = nil
	return log
}

// Stored returns the keys of all objects.
func (s *Server) Stored() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for name := range s.objects {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (s *Server) discover(w http.ResponseWriter, _ *http.Request) {
	verbs := metav1.Verbs{"create", "delete", "get", "list", "patch", "update", "watch"}
	reply(w, http.StatusOK, metav1.APIResourceList{TypeMeta: metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"},
		GroupVersion: "example.com/v1", APIResources: []metav1.APIResource{
			{Name: "widgets", SingularName: "widget", Namespaced: true, Kind: "Widget", Verbs: verbs},
			{Name: "widgets/status", Namespaced: true, Kind: "Widget", Verbs: metav1.Verbs{"get", "patch", "update"}},
			{Name: "widgets/scale", Namespaced: true, Kind: "Scale", Group: "autoscaling", Version: "v1",
				Verbs: metav1.Verbs{"get", "patch", "update"}},
			{Name: "gadgets", SingularName: "gadget", Kind: "Gadget", Verbs: verbs},
			{Name: "reviews", SingularName: "review", Kind: "Review", Verbs: metav1.Verbs{"get"}},
		}})
}

func (s *Server) namespace(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("namespace")
	if name == "nowhere" {
		Refuse(w, http.StatusNotFound, metav1.StatusReasonNotFound, fmt.Sprintf("namespaces %q not found", name))
		return
	}
	reply(w, http.StatusOK, map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name}})
}

// Collection handles requests for all widgets of a namespace.
func (s *Server) Collection(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	namespace := r.PathValue("namespace")
	if r.Method == http.MethodGet {
		items := []any{}
		for name, object := range s.objects {
			if strings.HasPrefix(name, namespace+"/") {
				items = append(items, object.Object)
			}
		}
		reply(w, http.StatusOK, map[string]any{
			"apiVersion": "example.com/v1",
			"kind":       "WidgetList",
			"metadata":   map[string]any{},
			"items":      items,
		})
		return
	}
	object := s.read(r)
	s.note(r, object)
	switch key := namespace + "/" + object.GetName(); {
	case s.answered(w, object):
	case s.objects[key] != nil:
		Refuse(w, http.StatusConflict, metav1.StatusReasonAlreadyExists,
			fmt.Sprintf("widgets.example.com %q already exists", object.GetName()))
	default:
		s.serial++
		object.SetUID(types.UID(fmt.Sprint("uid-", s.serial)))
		object.SetResourceVersion(fmt.Sprint(s.serial))
		object.SetManagedFields([]metav1.ManagedFieldsEntry{{Manager: r.URL.Query().Get("fieldManager"), Operation: "Update"}})
		delete(object.Object, "status")
		if !DryRun(r) {
			s.objects[key] = object
		}
		reply(w, http.StatusCreated, object.Object)
	}
}

func (s *Server) item(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := r.PathValue("namespace") + "/" + r.PathValue("name")
	there := s.objects[key]
	if there == nil {
		Refuse(w, http.StatusNotFound, metav1.StatusReasonNotFound, fmt.Sprintf("widgets.example.com %q not found", r.PathValue("name")))
		return
	}
	switch r.Method {
	case http.MethodGet:
		reply(w, http.StatusOK, there.Object)
	case http.MethodPut:
		object := s.read(r)
		s.note(r, object)
		switch {
		case object.GetResourceVersion() != there.GetResourceVersion():
			Refuse(w, http.StatusConflict, metav1.StatusReasonConflict,
				fmt.Sprintf("Operation cannot be fulfilled on widgets.example.com %q: the object has been modified; please apply your "+
					"changes to the latest version and try again", r.PathValue("name")))
		case s.answered(w, object):
		default:
			if !DryRun(r) {
				s.serial++
				there.Object["status"] = object.Object["status"]
				there.SetResourceVersion(fmt.Sprint(s.serial))
			}
			reply(w, http.StatusOK, there.Object)
		}
	case http.MethodPatch:
		s.note(r, there)
		there.SetFinalizers(nil)
		s.serial++
		there.SetResourceVersion(fmt.Sprint(s.serial))
		reply(w, http.StatusOK, there.Object)
	case http.MethodDelete:
		s.note(r, there)
		switch {
		case DryRun(r) && s.answered(w, there):
			return
		case DryRun(r) || len(there.GetFinalizers()) > 0:
		default:
			delete(s.objects, key)
		}
		reply(w, http.StatusOK, map[string]any{"apiVersion": "v1", "kind": "Status", "status": "Success"})
	}
}

// DryRun reports whether a request is a dry run.
func DryRun(r *http.Request) bool {
	if r.URL.Query().Get("dryRun") == "All" {
		return true
	}
	return r.Header.Get("X-Dry-Run") == "All"
}

// read decodes the body of a request.
func (s *Server) read(r *http.Request) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	if err := json.NewDecoder(r.Body).Decode(&object.Object); err != nil {
		s.report("%s %s: %v", r.Method, r.URL, err)
	}
	return object
}

// note adds a request to the log. The options of a deletion are in its body.
func (s *Server) note(r *http.Request, object *unstructured.Unstructured) {
	line := r.Method + " " + strings.TrimPrefix(r.URL.Path, "/apis/example.com/v1")
	if r.Method == http.MethodDelete {
		var options metav1.DeleteOptions
		if err := json.NewDecoder(r.Body).Decode(&options); err != nil {
			s.report("options: %v", err)
		}
		if len(options.DryRun) > 0 {
			r.Header.Set("X-Dry-Run", options.DryRun[0])
		}
	}
	if r.Method == http.MethodPost {
		line += " " + object.GetName()
	}
	if DryRun(r) {
		line += " dryRun"
	}
	s.log = append(s.log, line)
}

// answered writes the recorded answer that an object names, if any.
func (s *Server) answered(w http.ResponseWriter, object *unstructured.Unstructured) bool {
	name := object.GetAnnotations()["answer"]
	if name == "" {
		return false
	}
	data, err := answers.ReadFile("answers/" + name + ".json")
	if err != nil {
		s.report("%v", err)
	}
	var status metav1.Status
	if err := json.Unmarshal(data, &status); err != nil {
		s.report("%s: %v", name, err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(int(status.Code))
	_, _ = w.Write(data)
	return true
}

func reply(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(body)
}

// Refuse writes a failure status.
func Refuse(w http.ResponseWriter, code int32, reason metav1.StatusReason, message string) {
	reply(w, int(code), metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusFailure,
		Code:     code,
		Reason:   reason,
		Message:  message,
	})
}
