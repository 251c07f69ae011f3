package objectmeta

import (
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// Change returns a copy of a document with changed metadata. If the metadata cannot be decoded, it returns the
// document: the API server refuses such an object first, and validation reports why.
func Change(document map[string]any, change func(*unstructured.Unstructured)) map[string]any {
	metadata, isObject := document["metadata"].(map[string]any)
	if document["metadata"] != nil && !isObject || !readable(metadata) {
		return document
	}
	changed := &unstructured.Unstructured{Object: maps.Clone(document)}
	if metadata = runtime.DeepCopyJSON(metadata); metadata == nil {
		metadata = map[string]any{}
	}
	changed.Object["metadata"] = metadata
	change(changed)
	return changed.Object
}

// readable reports whether the fields that this package reads are of their types.
func readable(metadata map[string]any) bool {
	for name, value := range metadata {
		var is bool
		switch name {
		case "name", "generateName", "namespace", "uid", "resourceVersion":
			_, is = value.(string)
		case "generation", "deletionGracePeriodSeconds":
			_, is = value.(int64)
		case "creationTimestamp", "deletionTimestamp", "ownerReferences":
			is = runtime.DefaultUnstructuredConverter.FromUnstructured(map[string]any{name: value}, &metav1.ObjectMeta{}) == nil
		default:
			continue
		}
		if !is && value != nil {
			return false
		}
	}
	return true
}
