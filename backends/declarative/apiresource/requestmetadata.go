package apiresource

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/diffrun/diffrun/internal/objectmeta"
)

// madeUpName is the name of objects in cases without a name.
const madeUpName = "unnamed"

// created sets the metadata that every new object has when it is validated, and generates its name if it
// has a generateName instead.
func created(object map[string]any, namespaced bool) map[string]any {
	return objectmeta.Change(object, func(metadata *unstructured.Unstructured) {
		objectmeta.PrepareCreate(metadata, namespaced)
		objectmeta.GenerateName(metadata)
	})
}

// Named sets the name of a new object from its generateName, if it has no name, as the API server
// does before it validates. The object is not changed.
func Named(object map[string]any) map[string]any {
	return objectmeta.Change(object, func(metadata *unstructured.Unstructured) { objectmeta.GenerateName(metadata) })
}

// stored sets the metadata that every stored object has.
func stored(object map[string]any, namespaced bool) map[string]any {
	return objectmeta.Change(object, func(metadata *unstructured.Unstructured) {
		objectmeta.Store(metadata, namespaced)
		if metadata.GetGeneration() == 0 {
			metadata.SetGeneration(1)
		}
		objectmeta.GenerateName(metadata) // when it was created
	})
}

// carryOver sets in the new object of an update what it takes over from the stored one, and the old
// resourceVersion if it has none: without one the request would not reach validation.
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
