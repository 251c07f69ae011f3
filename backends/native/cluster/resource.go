package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/internal/apiname"
)

// resource is the resource that a cluster serves for a kind.
type resource struct {
	schema.GroupVersionResource
	Namespaced bool
	// HasStatus reports whether there is a status subresource.
	HasStatus bool
}

// asked is the cached answer of the cluster about a resource. Faults are not cached: the next case
// asks again.
type asked struct {
	mu       sync.Mutex
	resource *resource
	vacant   bool // the scratch namespace has no objects of this resource
}

// entry returns the cache entry for a key.
func (r *resources) entry(key string) *asked {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == nil {
		r.known = map[string]*asked{}
	}
	if r.known[key] == nil {
		r.known[key] = &asked{}
	}
	return r.known[key]
}

// resource returns the resource that the cluster serves for a kind. It asks once.
func (b *Backend) resource(ctx context.Context, kind schema.GroupVersionKind) (*resource, error) {
	entry := b.resources.entry(kind.String())
	entry.mu.Lock()
	defer entry.mu.Unlock()
	if entry.resource != nil {
		return entry.resource, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	list, err := b.discovery.ServerResourcesForGroupVersion(kind.GroupVersion().String())
	switch {
	case apierrors.IsNotFound(err):
		return nil, fmt.Errorf("the cluster does not serve %s, so it has no %s; apply its definition first", kind.GroupVersion(), kind.Kind)
	case err != nil:
		return nil, fmt.Errorf("asking for the resources of %s: %w", kind.GroupVersion(), fault(err))
	}
	entry.resource, err = resourceOf(list.APIResources, kind)
	return entry.resource, err
}

// resourceOf finds a kind among the served resources.
func resourceOf(served []metav1.APIResource, kind schema.GroupVersionKind) (*resource, error) {
	i := slices.IndexFunc(served, func(r metav1.APIResource) bool { return r.Kind == kind.Kind && !strings.Contains(r.Name, "/") })
	if i < 0 {
		return nil, fmt.Errorf("the cluster serves %s, but no %s in it; apply its definition first", kind.GroupVersion(), kind.Kind)
	}
	found := served[i]
	if !slices.Contains(found.Verbs, "create") {
		return nil, fmt.Errorf("the cluster serves no create of %s; it serves %s", apiname.Target(kind), strings.Join(found.Verbs, ", "))
	}
	return &resource{
		GroupVersionResource: kind.GroupVersion().WithResource(found.Name),
		Namespaced:           found.Namespaced,
		HasStatus:            slices.ContainsFunc(served, func(r metav1.APIResource) bool { return r.Name == found.Name+"/status" }),
	}, nil
}

// vacant refuses a scratch namespace that does not exist or has objects of the kind. It checks
// before the first object is stored. Events do not count.
func (b *Backend) vacant(ctx context.Context, resource *resource) error {
	entry := b.resources.entry(resource.GroupResource().String()) // shared by all versions
	entry.mu.Lock()
	defer entry.mu.Unlock()
	if entry.vacant {
		return nil
	}
	namespaces := schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	switch _, err := b.client.Resource(namespaces).Get(ctx, b.scratch, metav1.GetOptions{}); {
	case apierrors.IsNotFound(err):
		return fmt.Errorf("the scratch namespace %q does not exist; create it: kubectl create namespace %s", b.scratch, b.scratch)
	case err != nil && !refusedRight(err): // without permission to read it, storing reports whether it exists
		return fmt.Errorf("looking for the scratch namespace %q: %w", b.scratch, fault(err))
	}
	if isEvents(resource) { // the cluster writes events about objects of earlier cases
		entry.vacant = true
		return nil
	}
	list, err := at(b.client, resource, b.scratch).List(ctx, metav1.ListOptions{Limit: 3})
	if err != nil {
		return fmt.Errorf("looking for %s in the scratch namespace %q: %w", resource.Resource, b.scratch, fault(err))
	}
	if len(list.Items) > 0 {
		names := make([]string, len(list.Items))
		for i := range list.Items {
			names[i] = fmt.Sprintf("%q", list.Items[i].GetName())
		}
		return fmt.Errorf("the namespace %q has %s already (%s), so it is not used as scratch; name an empty namespace, "+
			"or remove the objects that a killed run left there", b.scratch, resource.Resource, strings.Join(names, ", "))
	}
	entry.vacant = true
	return nil
}

// isEvents reports whether a resource is that of Events, in either API group.
func isEvents(resource *resource) bool {
	return resource.Resource == "events" && (resource.Group == "" || resource.Group == "events.k8s.io")
}
