package world

import (
	"cmp"
	"context"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission"

	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	nativeadmission "github.com/diffrun/diffrun/internal/admission"
)

// review is a request for admission, with the objects as they are at that stage.
type review struct {
	resource serving.Resource
	of       serving.Description
	in       harness.Input
	// object is nil for a delete, old for a create.
	object, old map[string]any
}

func newReview(resource serving.Resource, in *harness.Input) *review {
	return &review{resource: resource, of: resource.Describe(), in: *in}
}

// subject returns the object that the request is about.
func (r *review) subject() *unstructured.Unstructured {
	if r.object == nil {
		return &unstructured.Unstructured{Object: r.old}
	}
	return &unstructured.Unstructured{Object: r.object}
}

// version returns the version of the request.
func (r *review) version() serving.Version {
	version, _ := r.of.Find(r.in.Version)
	return version
}

// kind returns the kind of the object: that of the request unless it is a Scale.
func (r *review) kind() schema.GroupVersionKind {
	return r.subject().GroupVersionKind()
}

// namespace returns the namespace; empty: the resource is cluster-scoped. That of a Namespace is
// itself, as in the API server.
func (r *review) namespace() string {
	if r.of.Kind == (schema.GroupKind{Kind: "Namespace"}) {
		return r.name()
	}
	return cmp.Or(r.subject().GetNamespace(), r.in.Namespace)
}

// namespaceLabels returns the labels of the namespace: those that the case gives it, and its name.
func (r *review) namespaceLabels() labels.Set {
	found := labels.Set{}
	objects := r.in.Cluster
	if r.of.Kind == (schema.GroupKind{Kind: "Namespace"}) {
		objects = []map[string]any{r.subject().Object}
	}
	for _, object := range objects {
		of := unstructured.Unstructured{Object: object}
		if of.GroupVersionKind() == corev1.SchemeGroupVersion.WithKind("Namespace") && of.GetName() == r.namespace() {
			maps.Copy(found, of.GetLabels())
		}
	}
	found[corev1.LabelMetadataName] = r.namespace()
	return found
}

func (r *review) name() string {
	return cmp.Or(r.subject().GetName(), r.in.Name)
}

// attributes returns the attributes that rules match.
func (r *review) attributes(resource schema.GroupVersionResource) admission.Attributes {
	return admission.NewAttributesRecord(nil, nil, r.kind(), r.namespace(), r.name(), resource, r.in.Subresource,
		admission.Operation(r.in.Operation), nil, true, nil)
}

// input returns the request in a version, for a webhook.
func (r *review) input(version serving.Version) (*harness.Input, error) {
	object, err := r.resource.Convert(r.object, version.GroupVersionKind)
	if err != nil {
		return nil, err
	}
	old, err := r.resource.Convert(r.old, version.GroupVersionKind)
	if err != nil {
		return nil, err
	}
	in := r.about(object, old, version)
	if version.GroupVersionKind != r.in.Version {
		requested := r.in.Request
		in.Requested = &requested
	}
	return in, nil
}

// about returns the request about objects that are in a version.
func (r *review) about(object, old map[string]any, version serving.Version) *harness.Input {
	in := r.in
	in.Object, in.Old = nil, nil
	if old != nil {
		in.Version, in.Old = (&unstructured.Unstructured{Object: old}).GroupVersionKind(), contract.NewView(old)
	}
	if object != nil {
		in.Version, in.Object = (&unstructured.Unstructured{Object: object}).GroupVersionKind(), contract.NewView(object)
	}
	in.Resource = version.Resource()
	return &in
}

// denied asks the policies.
func (w World) denied(ctx context.Context, asked *review) (field.ErrorList, error) {
	if w.Policies == nil {
		return nil, nil
	}
	in := asked.about(asked.object, asked.old, asked.version())
	return w.Policies.Review(ctx, in, nativeadmission.UserOf(in.Request)) // as in requests to webhooks
}
