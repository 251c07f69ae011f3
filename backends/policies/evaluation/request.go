package evaluation

import (
	"fmt"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
)

// Request is a request after the object was defaulted.
type Request struct {
	Kind        schema.GroupVersionKind
	Resource    schema.GroupVersionResource
	Subresource string
	// Name and Namespace are those of the request. For a create with generateName, Name is the
	// generated one. Namespace is empty for a cluster-scoped resource.
	Name, Namespace string
	// Operation is CREATE, UPDATE, DELETE or CONNECT.
	Operation admission.Operation
	// Object is nil for DELETE, OldObject for CREATE. Both are in the version of Kind.
	// They are not changed.
	Object, OldObject *unstructured.Unstructured
	// User is the user of the request.
	User authenticationv1.UserInfo
	// Cluster has objects that are in the cluster. Its Namespaces take precedence over those of the
	// files.
	Cluster []map[string]any
	// DryRun is the value of request.dryRun.
	DryRun bool
}

// check returns an error for a caller's mistake that upstream's code would panic over.
func (r Request) check() error {
	switch {
	case r.Object == nil && r.OldObject == nil:
		return fmt.Errorf("policies: a %s request of %s has neither an object nor an old object", r.Operation, r.Kind)
	case r.Operation == admission.Create && r.Object == nil, r.Operation == admission.Update && r.Object == nil:
		return fmt.Errorf("policies: a %s request of %s has no object", r.Operation, r.Kind)
	case r.Operation == admission.Update && r.OldObject == nil:
		return fmt.Errorf("policies: an UPDATE request of %s has no old object", r.Kind)
	case r.Resource.Resource == "":
		return fmt.Errorf("policies: a request of %s names no resource", r.Kind)
	}
	return nil
}

// isNamespace reports whether the request is about a Namespace itself.
func (r Request) isNamespace() bool {
	return r.Kind == corev1.SchemeGroupVersion.WithKind("Namespace")
}

// attributes returns the request in the form of the API server's admission chain.
func (r Request) attributes() *attributes {
	var object, old runtime.Object // nil interfaces, not nil pointers
	if r.Object != nil {
		object = r.Object
	}
	if r.OldObject != nil {
		old = r.OldObject
	}
	return &attributes{
		Attributes: admission.NewAttributesRecord(object, old, r.Kind, r.Namespace, r.Name, r.Resource, r.Subresource,
			r.Operation, r.operationOptions(), r.DryRun, r.user()),
		annotations: map[string]string{},
	}
}

// operationOptions returns the value of request.options: the options that the API server's handlers
// make for a request without query parameters.
func (r Request) operationOptions() runtime.Object {
	kind := func(name string) metav1.TypeMeta {
		return metav1.TypeMeta{APIVersion: metav1.SchemeGroupVersion.String(), Kind: name}
	}
	var dryRun []string
	if r.DryRun {
		dryRun = []string{metav1.DryRunAll}
	}
	switch r.Operation {
	case admission.Update:
		return &metav1.UpdateOptions{TypeMeta: kind("UpdateOptions"), DryRun: dryRun}
	case admission.Delete:
		return &metav1.DeleteOptions{TypeMeta: kind("DeleteOptions"), DryRun: dryRun}
	case admission.Create:
		return &metav1.CreateOptions{TypeMeta: kind("CreateOptions"), DryRun: dryRun}
	}
	return nil
}

func (r Request) user() user.Info {
	extra := map[string][]string{}
	for key, values := range r.User.Extra {
		extra[key] = values
	}
	return &user.DefaultInfo{Name: r.User.Username, UID: r.User.UID, Groups: r.User.Groups, Extra: extra}
}

// attributes keeps the audit annotations that the dispatcher adds to a request.
type attributes struct {
	admission.Attributes
	annotations  map[string]string
	reinvocation admission.ReinvocationContext // nil: the request's own
}

// GetReinvocationContext returns what mutating admission remembers about the request.
func (a *attributes) GetReinvocationContext() admission.ReinvocationContext {
	if a.reinvocation != nil {
		return a.reinvocation
	}
	return a.Attributes.GetReinvocationContext()
}

// AddAnnotation keeps an annotation.
func (a *attributes) AddAnnotation(key, value string) error {
	a.annotations[key] = value
	return nil
}
