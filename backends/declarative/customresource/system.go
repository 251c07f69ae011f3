package customresource

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/diffrun/diffrun/internal/objectmeta"
)

// madeUpName names the objects of cases that say no name.
const madeUpName = "unnamed"

// created gives a new object the metadata that each one has when it is validated.
func created(object map[string]any, namespaced bool) map[string]any {
	return objectmeta.Change(object, func(metadata *unstructured.Unstructured) {
		objectmeta.PrepareCreate(metadata, namespaced)
	})
}

// stored gives an object what each one in the storage has.
func stored(object map[string]any, namespaced bool) map[string]any {
	return objectmeta.Change(object, func(metadata *unstructured.Unstructured) {
		objectmeta.Store(metadata, namespaced)
		if metadata.GetGeneration() == 0 {
			metadata.SetGeneration(1)
		}
	})
}

// carriedOver gives the new object of an update what it has from the stored one, and the
// old resourceVersion where it says none: without one the request would not get as far as
// validation.
func carriedOver(object, old map[string]any, namespaced bool) map[string]any {
	const unconditional = true
	return objectmeta.Change(object, func(metadata *unstructured.Unstructured) {
		objectmeta.PrepareUpdate(metadata, &unstructured.Unstructured{Object: old}, namespaced, unconditional)
	})
}
