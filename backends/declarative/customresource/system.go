package customresource

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/diffrun/diffrun/internal/objectmeta"
)

// madeUpName names the objects of cases that say no name.
const madeUpName = "unnamed"

// created gives a new object the metadata that each one has when it is validated, and the name
// that it asks for.
func created(object map[string]any, namespaced bool) map[string]any {
	return objectmeta.Change(object, func(metadata *unstructured.Unstructured) {
		objectmeta.PrepareCreate(metadata, namespaced)
		generateName(metadata)
	})
}

// Named gives an object of a create the name that its generateName asks for, if it does not have one,
// as the API server does before it validates. The object is not changed.
func Named(object map[string]any) map[string]any {
	return objectmeta.Change(object, func(metadata *unstructured.Unstructured) { generateName(metadata) })
}

func generateName(metadata metav1.Object) {
	if prefix := metadata.GetGenerateName(); prefix != "" && metadata.GetName() == "" {
		metadata.SetName(objectmeta.GeneratedName(prefix))
	}
}

// stored gives an object what each one in the storage has.
func stored(object map[string]any, namespaced bool) map[string]any {
	return objectmeta.Change(object, func(metadata *unstructured.Unstructured) {
		objectmeta.Store(metadata, namespaced)
		if metadata.GetGeneration() == 0 {
			metadata.SetGeneration(1)
		}
		generateName(metadata) // when it was created
	})
}

// updatedBy gives an old object the name and namespace of the new one, where it has none itself: no
// other request can update it.
func updatedBy(object, old map[string]any) map[string]any {
	after := unstructured.Unstructured{Object: object}
	return objectmeta.Change(old, func(metadata *unstructured.Unstructured) {
		if metadata.GetName() == "" && after.GetName() != "" {
			metadata.SetName(after.GetName())
		}
		if metadata.GetNamespace() == "" && after.GetNamespace() != "" {
			metadata.SetNamespace(after.GetNamespace())
		}
	})
}

// carryOver gives the new object of an update what it has from the stored one, and the
// old resourceVersion where it says none: without one the request would not get as far as
// validation.
func carryOver(object, old map[string]any, namespaced bool) map[string]any {
	const unconditional = true
	return objectmeta.Change(object, func(metadata *unstructured.Unstructured) {
		before := &unstructured.Unstructured{Object: old}
		if metadata.GetName() == "" && metadata.GetGenerateName() != "" {
			metadata.SetName(before.GetName())
		}
		objectmeta.PrepareUpdate(metadata, before, namespaced, unconditional)
	})
}
