package customresource

import (
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/objectmeta"
)

// Preparation makes of the objects of a request to a resource what the API server validates,
// after they were read (see Reader) and mutated: rest.BeforeCreate and rest.BeforeUpdate of
// k8s.io/apiserver/pkg/registry/rest, and the strategies of
// k8s.io/apiextensions-apiserver/pkg/registry/customresource. Objects are not changed.
type Preparation struct {
	// Namespaced says that objects are in namespaces.
	Namespaced bool
	// Subresources are those of the version of the request.
	Subresources subresource.Subresources
}

// Stored gives an object what each one in the storage has and cases leave out, such as a
// resourceVersion.
func (p Preparation) Stored(object map[string]any) map[string]any {
	return stored(object, p.Namespaced)
}

// Prepare prepares the object of a create, or of an update where old, which comes from Stored,
// is not nil. What a scale takes is left as it is, and so is what is deleted.
func (p Preparation) Prepare(request harness.Request, object, old map[string]any) subresource.Request {
	switch {
	case request.Operation == harness.Delete, request.Subresource == subresource.ScaleName:
		return subresource.Request{Object: object}
	case old == nil:
		return p.Subresources.Create(created(object, p.Namespaced))
	case request.Subresource == subresource.StatusName:
		return subresource.UpdateStatus(carryOver(object, old, p.Namespaced), old)
	}
	return p.Subresources.Update(carryOver(object, old, p.Namespaced), old)
}

// write gives the old object with what a Scale says. The errors say that it has no scale that
// could be written, or is not the one that the Scale is of.
func (p Preparation) write(scale *autoscalingv1.Scale, old map[string]any) (subresource.Request, field.ErrorList) {
	if errs := stale(scale, old); len(errs) > 0 {
		return subresource.Request{}, errs
	}
	return p.Subresources.Scale.Write(scale, old, p.Subresources.Conformance)
}

// stale is the conflict of a Scale that is not of the stored object, which the API server
// refuses before it validates (Store.Update of
// k8s.io/apiserver/pkg/registry/generic/registry). A resourceVersion that is missing, or
// made up here, conflicts with nothing.
func stale(scale *autoscalingv1.Scale, old map[string]any) field.ErrorList {
	stored := (&unstructured.Unstructured{Object: old}).GetResourceVersion()
	if scale.ResourceVersion == "" || stored == "" || stored == objectmeta.MadeUpResourceVersion || scale.ResourceVersion == stored {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("metadata", "resourceVersion"), scale.ResourceVersion,
		"conflict: the object has been modified; please apply your changes to the latest version and try again")}
}
