package main

import (
	"encoding/json"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
)

// Updates other than that to a copy of the object.
const (
	statusChanged = "declarative status update"
	specChanged   = "declarative spec update"
)

// withoutStatus gives the old object of an update that changed the status alone, as most
// updates do.
func withoutStatus(obj map[string]any) map[string]any {
	old := runtime.DeepCopyJSON(obj)
	if _, there := old["status"]; there {
		delete(old, "status")
	} else {
		old["status"] = map[string]any{}
	}
	return old
}

// change gives both objects of an update that changed one scalar: the last in the largest
// list of the spec, so that a comparison finds it late. The generation rises with it, as in
// the API server.
func change(obj map[string]any) (next, old map[string]any) {
	next, old = runtime.DeepCopyJSON(obj), runtime.DeepCopyJSON(obj)
	for i, of := range []map[string]any{old, next} {
		meta, ok := of["metadata"].(map[string]any)
		if !ok {
			meta = map[string]any{}
			of["metadata"] = meta
		}
		meta["generation"] = int64(i + 1)
	}
	if list, _ := largestList(old["spec"]); list != nil {
		list[len(list)-1], _ = changed(list[len(list)-1])
	}
	return next, old
}

// largestList is the list with the most JSON that is not in another.
func largestList(in any) (list []any, bytes int) {
	switch in := in.(type) {
	case []any:
		if data, err := json.Marshal(in); err == nil && len(in) > 0 {
			return in, len(data)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(in)) {
			if found, size := largestList(in[name]); size > bytes {
				list, bytes = found, size
			}
		}
	}
	return list, bytes
}

// changed changes one scalar of a value.
func changed(in any) (next any, done bool) {
	switch in := in.(type) {
	case string:
		return in + "x", true
	case int64:
		return in + 1, true
	case bool:
		return !in, true
	case []any:
		for i, item := range slices.Backward(in) {
			if in[i], done = changed(item); done {
				break
			}
		}
	case map[string]any:
		for _, name := range slices.Backward(slices.Sorted(maps.Keys(in))) {
			if in[name], done = changed(in[name]); done {
				break
			}
		}
	}
	return in, done
}
