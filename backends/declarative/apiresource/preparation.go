package apiresource

import (
	admissionv1 "k8s.io/api/admission/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/stages"
)

// Preparation turns the objects of a request into those that the API server validates, after they
// were read (see Reader) and mutated: rest.BeforeCreate and rest.BeforeUpdate of
// k8s.io/apiserver/pkg/registry/rest, and the strategies of
// k8s.io/apiextensions-apiserver/pkg/registry/customresource. Objects are not changed.
type Preparation struct {
	// Namespaced reports whether objects are in namespaces.
	Namespaced bool
	// Subresources are those of the version of the request.
	Subresources subresource.Subresources
}

// Stored adds to an object the fields that every stored object has and cases leave out, such as a
// resourceVersion.
func (p Preparation) Stored(object map[string]any) map[string]any {
	return stored(object, p.Namespaced)
}

// Prepare prepares the object of a create, or of an update if old, which comes from Stored, is not
// nil. A Scale and a deleted object are returned unchanged.
func (p Preparation) Prepare(request harness.Request, object, old map[string]any) subresource.Request {
	switch {
	case request.Operation == admissionv1.Delete, request.Subresource == subresource.ScaleName:
		return subresource.Request{Object: object}
	case old == nil:
		return p.Subresources.Create(created(object, p.Namespaced))
	case request.Subresource == subresource.StatusName:
		return subresource.UpdateStatus(carryOver(object, old, p.Namespaced), old)
	}
	return p.Subresources.Update(carryOver(object, old, p.Namespaced), old)
}

// write returns the old object with the replicas of a Scale. The errors report that it has no scale
// that could be written, or that the Scale belongs to another revision.
func (p Preparation) write(scale *autoscalingv1.Scale, old map[string]any) (subresource.Request, field.ErrorList) {
	if errs := stale(scale, old); len(errs) > 0 {
		return subresource.Request{}, errs
	}
	return p.Subresources.Scale.Write(scale, old, p.Subresources.Conformance)
}

// stale returns the conflict of a Scale with another revision of the stored object.
func stale(scale *autoscalingv1.Scale, old map[string]any) field.ErrorList {
	return stages.Conflict(scale.ResourceVersion, (&unstructured.Unstructured{Object: old}).GetResourceVersion())
}
