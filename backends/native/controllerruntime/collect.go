package controllerruntime

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/diffrun/diffrun/internal/casecluster"
)

// CollectOptions are the options of Collect. The zero value has the types of Kubernetes alone.
type CollectOptions struct {
	// Scheme has the types of the objects, as for a manager; nil: those of client-go.
	Scheme *runtime.Scheme
	// ClusterScoped are the kinds of custom resources without a namespace.
	ClusterScoped []string
}

// Webhooks are the webhooks that a project registers.
type Webhooks struct {
	found   map[string]*admission.Webhook
	cluster *sharedCluster
}

// Collect calls the functions with which a project registers its webhooks, such as
// SetupWebhookWithManager. The manager that they get never starts: no controller runs and nothing is
// served. Its clients read the old object of an input and the objects of its case (harness.Case.Cluster). The Roles and
// bindings among these answer a SubjectAccessReview. Any other request is a fault of the input. The error is that of a
// function, or says that none registered a webhook.
func Collect(options CollectOptions, register ...func(manager.Manager) error) (*Webhooks, error) {
	if options.Scheme == nil {
		options.Scheme = clientscheme.Scheme
	}
	cluster := &sharedCluster{cluster: casecluster.Cluster{Mapper: casecluster.NewMapper(options.Scheme, options.ClusterScoped...)}}
	server := &collectingServer{Server: webhook.NewServer(webhook.Options{}), found: map[string]*admission.Webhook{}}
	mgr, err := manager.New(&rest.Config{Host: "http://cluster.invalid", Transport: &cluster.cluster, QPS: -1}, manager.Options{
		Scheme:         options.Scheme,
		WebhookServer:  server,
		MapperProvider: func(*rest.Config, *http.Client) (meta.RESTMapper, error) { return cluster.cluster.Mapper, nil },
		NewClient: func(config *rest.Config, options client.Options) (client.Client, error) {
			options.Cache = nil // which never starts
			return client.New(config, options)
		},
	})
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, each := range register {
		errs = append(errs, each(mgr))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("registering webhooks: %w", err)
	}
	if len(server.found) == 0 {
		return nil, errors.New("no function registered a webhook")
	}
	return &Webhooks{server.found, cluster}, nil
}

// collectingServer keeps the admission webhooks that are registered.
type collectingServer struct {
	webhook.Server
	found map[string]*admission.Webhook
}

// Register implements webhook.Server.
func (s *collectingServer) Register(path string, hook http.Handler) {
	s.Server.Register(path, hook)
	if webhook, is := hook.(*admission.Webhook); is {
		s.found[path] = webhook
	}
}

// Paths returns the paths of the webhooks, sorted.
func (w *Webhooks) Paths() []string { return slices.Sorted(maps.Keys(w.found)) }

// Validator returns the validating webhook at a path as a native backend.
func (w *Webhooks) Validator(path string) (*Backend, error) {
	found := w.found[path]
	if found == nil {
		return nil, fmt.Errorf("no webhook is registered at %q; there are %s", path, strings.Join(w.Paths(), ", "))
	}
	return &Backend{handler: found, cluster: w.cluster}, nil
}

// Mutator returns the mutating webhook at a path.
func (w *Webhooks) Mutator(path string) (*Mutator, error) {
	backend, err := w.Validator(path)
	if err != nil {
		return nil, err
	}
	return &Mutator{*backend}, nil
}

// sharedCluster lets one webhook at a time read the objects of its case, because a client does not say
// for which request it reads.
type sharedCluster struct {
	mu      sync.Mutex
	cluster casecluster.Cluster
}

// during answers a request while the cluster has its objects. The error is a request of a client that
// these do not answer. Without a cluster, nothing is set.
func (s *sharedCluster) during(request *admissionv1.AdmissionRequest, objects []map[string]any,
	answer func() *admissionv1.AdmissionResponse) (*admissionv1.AdmissionResponse, error) {
	if s == nil {
		return answer(), nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.cluster.Set(request.OldObject.Raw, objects); err != nil {
		return nil, err
	}
	response := answer()
	if asked := s.cluster.AccessReviews(); asked != "" && response != nil {
		response.AuditAnnotations = maps.Clone(response.AuditAnnotations)
		if response.AuditAnnotations == nil {
			response.AuditAnnotations = map[string]string{}
		}
		response.AuditAnnotations[casecluster.AccessReviewsAnnotation] = asked
	}
	return response, s.cluster.Refused()
}
