package cluster

import (
	"context"
	"fmt"
	"sync"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/admission"
	"github.com/diffrun/diffrun/internal/objectmeta"
)

// fieldManager is the field manager of stored objects; cleanup recognizes them by it.
const fieldManager = "diffrun"

// Backend asks a cluster. It implements harness.Backend and io.Closer.
type Backend struct {
	config       configuration
	scratch      string
	client       dynamic.Interface
	discovery    discovery.ServerResourcesInterface
	resources    resources
	scratchStore *scratchStore
	users        users
	link         link
}

// New returns a backend. It reads the kubeconfig and does not connect. The error describes invalid
// options.
func New(options Options) (*Backend, error) {
	config, err := options.read()
	if err != nil {
		return nil, err
	}
	client, err := dynamic.NewForConfig(config.Config)
	if err != nil {
		return nil, fmt.Errorf("kubeconfig: %w", err)
	}
	known, err := discovery.NewDiscoveryClientForConfig(config.Config)
	if err != nil {
		return nil, fmt.Errorf("kubeconfig: %w", err)
	}
	b := &Backend{config: config, scratch: options.Namespace, client: client, discovery: known}
	b.scratchStore = newScratchStore(client)
	return b, nil
}

// Name is "native".
func (*Backend) Name() string { return contract.NativeName }

// Intent describes in one line what a run will do to the cluster. Show it before the first case.
func (b *Backend) Intent() string {
	where := fmt.Sprintf("cluster %s (context %q): every case is sent with dryRun=All", b.config.Host, b.config.context)
	if b.scratch == "" {
		return where + "; nothing is stored, so cases that update or delete are faults"
	}
	return where + fmt.Sprintf(" in the namespace %q; the old object of a case that updates or deletes is stored there and "+
		"removed afterwards, and controllers of the cluster may act on it meanwhile", b.scratch)
}

// Validate sends an input to the API server. The error is a fault: the API server gave no
// verdict.
func (b *Backend) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	ctx, done, err := b.scratchStore.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	errs, err := b.send(ctx, in)
	return errs, b.link.report(b.config.Host, err)
}

// Capabilities implements contract.Capable. The API server calls webhooks and policies for
// deletions and connections, and defaults and prepares objects itself.
func (*Backend) Capabilities() contract.Capabilities {
	return contract.Capabilities{ValidatesDeletes: true, RawDocuments: true}
}

func (b *Backend) send(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	if err := b.link.down(b.config.Host); err != nil {
		return nil, err
	}
	if carries(in) {
		return b.carry(ctx, in)
	}
	resource, err := b.resource(ctx, in.Version)
	if err != nil {
		return nil, err
	}
	sent := in.Object
	if in.Operation == admissionv1.Delete {
		sent = in.Old
	}
	object, err := b.outgoing(sent, in, resource)
	if err != nil {
		return nil, err
	}
	if in.Old == nil {
		return b.create(ctx, in, resource, object)
	}
	old, err := b.outgoing(in.Old, in, resource)
	if err != nil {
		return nil, fmt.Errorf("old object: %w", err)
	}
	switch { // only one of the objects may have a name
	case !isNamed(in.Old):
		old.SetName(object.GetName())
	case !isNamed(in.Object):
		object.SetName(old.GetName())
	}
	return b.replace(ctx, in, resource, object, old)
}

// outgoing returns a copy of an object with the name and namespace that the request uses.
func (b *Backend) outgoing(view *contract.View, in *harness.Input, resource *resource) (*unstructured.Unstructured, error) {
	document, err := admission.Document(view, in.Version)
	if err != nil {
		return nil, err
	}
	object := (&unstructured.Unstructured{Object: document}).DeepCopy()
	switch prefix := object.GetGenerateName(); {
	case object.GetName() != "" || prefix != "" && in.Old == nil: // the API server generates a name
	case prefix != "":
		objectmeta.GenerateName(object)
	default:
		object.SetName("unnamed")
	}
	switch {
	case !resource.Namespaced:
		object.SetNamespace("")
	case b.scratch != "":
		object.SetNamespace(b.scratch)
	case object.GetNamespace() == "":
		object.SetNamespace(b.config.namespace)
	}
	object.SetResourceVersion("") // from a different cluster, or made up
	return object, nil
}

// isNamed reports whether an object has a name.
func isNamed(view *contract.View) bool {
	if view == nil {
		return false
	}
	document, err := view.Unstructured()
	return err == nil && (&unstructured.Unstructured{Object: document}).GetName() != ""
}

// create sends a create. AlreadyExists is also a verdict: the API server looks for an existing
// object only after validation and admission (Store.Create of
// k8s.io/apiserver/pkg/registry/generic/registry).
func (b *Backend) create(ctx context.Context, in *harness.Input, resource *resource,
	object *unstructured.Unstructured) (field.ErrorList, error) {
	client, err := b.as(in.User)
	if err != nil {
		return nil, err
	}
	created, err := at(client, resource, object.GetNamespace()).Create(ctx, object,
		metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldValidation: metav1.FieldValidationIgnore, FieldManager: fieldManager})
	switch {
	case alreadyExists(err):
		return nil, nil
	case err == nil:
		addStored(ctx, in, resource, created)
	}
	return verdict(err)
}

// replace stores the old object for the time of an update or deletion request.
func (b *Backend) replace(ctx context.Context, in *harness.Input, resource *resource,
	object, old *unstructured.Unstructured) (errs field.ErrorList, err error) {
	switch {
	case b.scratch == "":
		return nil, fmt.Errorf("a case with an old object needs the key namespace: the old object is stored in that scratch " +
			"namespace for the time of the case")
	case !resource.Namespaced:
		return nil, fmt.Errorf("%s is not namespaced, so its old object cannot be stored in the scratch namespace; "+
			"only creates of this kind can be sent", in.Version.Kind)
	case object.GetName() != old.GetName():
		return nil, fmt.Errorf("the old object is named %q and the new one %q; an update keeps the name", old.GetName(), object.GetName())
	}
	if err := b.vacant(ctx, resource); err != nil {
		return nil, err
	}
	stored, err := b.scratchStore.put(ctx, resource, old)
	if err != nil {
		return nil, err
	}
	defer func() {
		if removing := stored.remove(ctx); removing != nil && err == nil {
			errs, err = nil, removing
		}
	}()
	for range conflicts {
		if errs, err = b.replaceStored(ctx, in, resource, object, stored); !conflict(err) {
			return errs, err
		}
		if refreshing := stored.refresh(ctx); refreshing != nil {
			return nil, refreshing
		}
	}
	return nil, fmt.Errorf("the old object %s was changed by others each time it was to be updated: %w", stored, err)
}

// conflicts is the number of attempts at an update while controllers change the stored object.
const conflicts = 5

func (b *Backend) replaceStored(ctx context.Context, in *harness.Input, resource *resource, object *unstructured.Unstructured,
	stored *stored) (field.ErrorList, error) {
	client, err := b.as(in.User)
	if err != nil {
		return nil, err
	}
	at := at(client, resource, b.scratch)
	switch in.Operation {
	case admissionv1.Delete:
		err = at.Delete(ctx, stored.name(), metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}})
	default:
		sent := object.DeepCopy()
		sent.SetResourceVersion(stored.object.GetResourceVersion())
		sent.SetUID("")
		var subresources []string
		if in.Subresource != "" {
			subresources = []string{in.Subresource}
		}
		var updated *unstructured.Unstructured
		updated, err = at.Update(ctx, sent, metav1.UpdateOptions{
			DryRun:          []string{metav1.DryRunAll},
			FieldValidation: metav1.FieldValidationIgnore,
			FieldManager:    fieldManager,
		}, subresources...)
		if err == nil {
			addStored(ctx, in, resource, updated)
		}
	}
	if conflict(err) {
		return nil, err
	}
	return verdict(err)
}

// at returns the client for a resource in a namespace.
func at(client dynamic.Interface, resource *resource, namespace string) dynamic.ResourceInterface {
	if resource.Namespaced {
		return client.Resource(resource.GroupVersionResource).Namespace(namespace)
	}
	return client.Resource(resource.GroupVersionResource)
}

// Close ends running cases and waits until they have removed their objects. The error names what
// could not be removed.
func (b *Backend) Close() error { return b.scratchStore.close() }

// resources caches the resources that were looked up, by kind.
type resources struct {
	mu    sync.Mutex
	known map[string]*asked
}
