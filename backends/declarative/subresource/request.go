package subresource

import (
	"maps"
	"slices"

	apiequality "k8s.io/apimachinery/pkg/api/equality"
)

// Request is an object as it is validated.
type Request struct {
	// Object shares with the objects of the request what did not change. Do not change it
	// in place.
	Object map[string]any
	// Ignored are the paths of fields that the client set and the request ignores, in
	// order, as in "status.phase". Items of lists are not distinguished.
	Ignored []string
}

// Create prepares a create. It sets metadata.generation to 1 and drops the status if it
// is a subresource.
func (s Subresources) Create(object map[string]any) Request {
	made := Request{Object: maps.Clone(object)}
	if status, given := object["status"]; s.Status && given {
		delete(made.Object, "status")
		made.Ignored = changed("status", status, nil)
	}
	setGeneration(made.Object, 1)
	return made
}

// Update prepares an update of the resource. It keeps the old status if the status is a
// subresource, and increments metadata.generation if anything but metadata changed.
func (s Subresources) Update(object, old map[string]any) Request {
	made := Request{Object: maps.Clone(object)}
	if s.Status {
		made.Ignored = changed("status", object["status"], old["status"])
		copyField(made.Object, old, "status")
	}
	generation := generationOf(old)
	if !apiequality.Semantic.DeepEqual(withoutMetadata(made.Object), withoutMetadata(old)) {
		generation++
	}
	setGeneration(made.Object, generation)
	return made
}

// UpdateStatus prepares an update of the status. The result is the old object with the
// new status and the new metadata.managedFields. The generation stays.
func UpdateStatus(object, old map[string]any) Request {
	made := Request{Object: maps.Clone(old)}
	copyField(made.Object, object, "status")
	metadata := maps.Clone(metadataOf(old))
	copyField(metadata, metadataOf(object), "managedFields")
	if _, has := old["metadata"]; has || len(metadata) > 0 {
		made.Object["metadata"] = metadata
	}
	made.Ignored = without(changedFields("", object, made.Object), "metadata.resourceVersion")
	return made
}

// copyField sets a field to its value in another object, or removes it.
func copyField(into, from map[string]any, name string) {
	if value, has := from[name]; has {
		into[name] = value
	} else {
		delete(into, name)
	}
}

func metadataOf(object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	if metadata == nil {
		return map[string]any{}
	}
	return metadata
}

func generationOf(object map[string]any) int64 {
	generation, _ := metadataOf(object)["generation"].(int64)
	return generation
}

// setGeneration sets a field of the metadata of an object whose own fields are the
// caller's. Metadata that is not an object is left to validation.
func setGeneration(object map[string]any, generation int64) {
	if _, isObject := object["metadata"].(map[string]any); !isObject && object["metadata"] != nil {
		return
	}
	metadata := maps.Clone(metadataOf(object))
	metadata["generation"] = generation
	if generation == 0 {
		delete(metadata, "generation")
	}
	object["metadata"] = metadata
}

func withoutMetadata(object map[string]any) map[string]any {
	rest := maps.Clone(object)
	delete(rest, "metadata")
	return rest
}

// changed lists the paths at which two values differ, the value itself where they
// are not both objects.
func changed(path string, a, b any) []string {
	if apiequality.Semantic.DeepEqual(a, b) {
		return nil
	}
	first, isObject := a.(map[string]any)
	second, isObjectToo := b.(map[string]any)
	if !isObject || !isObjectToo {
		return []string{path}
	}
	return changedFields(path+".", first, second)
}

func changedFields(prefix string, a, b map[string]any) []string {
	names := maps.Clone(a)
	if names == nil {
		names = map[string]any{}
	}
	maps.Copy(names, b)
	var paths []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		paths = append(paths, changed(prefix+name, a[name], b[name])...)
	}
	return paths
}

func without(paths []string, names ...string) []string {
	var kept []string
	for _, path := range paths {
		if !slices.Contains(names, path) {
			kept = append(kept, path)
		}
	}
	return kept
}
