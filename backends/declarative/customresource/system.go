package customresource

import (
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/diffrun/diffrun/harness"
)

// What the API server makes up when it stores an object stands here as constants, so
// that runs repeat.
const (
	madeUpUID             = "11111111-1111-4111-8111-111111111111"
	madeUpTime            = "1970-01-01T00:00:00Z"
	madeUpResourceVersion = "1"
	madeUpName            = "unnamed"
)

// created gives an object what each one gets on create
// (k8s.io/apiserver/pkg/registry/rest, FillObjectMetaSystemFields), and the name that it asks for.
func created(object map[string]any) map[string]any {
	return withMetadata(object, func(metadata map[string]any) {
		fill(metadata, "uid", madeUpUID)
		fill(metadata, "creationTimestamp", madeUpTime)
		generateName(metadata)
	})
}

// Named gives an object of a create the name that its generateName asks for, if it does not have one,
// as the API server does before it validates. The object is not changed.
func Named(object map[string]any) map[string]any {
	if metadata, isObject := object["metadata"].(map[string]any); !isObject || !asksForName(metadata) {
		return object
	}
	return withMetadata(object, generateName)
}

// asksForName reports whether an object has a generateName.
func asksForName(metadata map[string]any) bool {
	prefix, _ := metadata["generateName"].(string)
	return prefix != ""
}

func generateName(metadata map[string]any) {
	if asksForName(metadata) {
		fill(metadata, "name", harness.GeneratedName(metadata["generateName"].(string)))
	}
}

// stored gives an object what each one in the storage has.
func stored(object map[string]any) map[string]any {
	return withMetadata(object, func(metadata map[string]any) {
		fill(metadata, "uid", madeUpUID)
		fill(metadata, "creationTimestamp", madeUpTime)
		fill(metadata, "resourceVersion", madeUpResourceVersion)
		fill(metadata, "generation", int64(1))
		generateName(metadata) // when it was created
	})
}

// updatedBy gives an old object the name and namespace of the new one, where it has none itself: no
// other request can update it.
func updatedBy(object, old map[string]any) map[string]any {
	after := unstructured.Unstructured{Object: object}
	return withMetadata(old, func(metadata map[string]any) {
		if name := after.GetName(); name != "" {
			fill(metadata, "name", name)
		}
		if namespace := after.GetNamespace(); namespace != "" {
			fill(metadata, "namespace", namespace)
		}
	})
}

// carriedOver gives the new object of an update what it has from the old one
// (k8s.io/apiserver/pkg/registry/rest, BeforeUpdate), and the old resourceVersion
// where it says none: without one the request would not get as far as validation.
func carriedOver(object, old map[string]any) map[string]any {
	before, _ := old["metadata"].(map[string]any)
	return withMetadata(object, func(metadata map[string]any) {
		if asksForName(metadata) {
			fill(metadata, "name", before["name"])
		}
		for _, name := range []string{"resourceVersion", "uid", "deletionGracePeriodSeconds"} {
			if value, has := before[name]; has {
				fill(metadata, name, value)
			}
		}
		for _, name := range []string{"creationTimestamp", "deletionTimestamp", "generation"} {
			if value, has := before[name]; has {
				metadata[name] = value
			}
		}
	})
}

// Carried gives both objects of an update the metadata that the API server fills in
// before it validates them, where they do not have it: what every stored object has, and
// what the new object takes from the old one. The objects are not changed.
func Carried(object, old map[string]any) (filled, filledOld map[string]any) {
	filledOld = stored(old)
	return carriedOver(object, filledOld), filledOld
}

// withMetadata gives an object with other metadata. That which is not an object is left
// to validation.
func withMetadata(object map[string]any, change func(map[string]any)) map[string]any {
	metadata, isObject := object["metadata"].(map[string]any)
	if !isObject && object["metadata"] != nil {
		return object
	}
	changed := maps.Clone(object)
	metadata = runtime.DeepCopyJSON(metadata)
	if metadata == nil {
		metadata = map[string]any{}
	}
	change(metadata)
	changed["metadata"] = metadata
	return changed
}

func fill(metadata map[string]any, name string, value any) {
	if given, has := metadata[name]; !has || given == "" || given == nil {
		metadata[name] = value
	}
}
