package casefile

import (
	"fmt"
	"maps"

	"github.com/diffrun/diffrun/internal/files/jsonpatch"
)

// merge applies a merge patch (RFC 7386) to a copy of a document. Patch libraries work on bytes
// and do not distinguish 1.0 from 1; merge keeps numbers as written.
func merge(document any, patch any) any {
	members, isObject := patch.(map[string]any)
	if !isObject {
		return patch
	}
	target, _ := document.(map[string]any)
	merged := maps.Clone(target)
	if merged == nil {
		merged = map[string]any{}
	}
	for key, member := range members {
		if member == nil {
			delete(merged, key)
		} else {
			merged[key] = merge(merged[key], member)
		}
	}
	return merged
}

// applyJSONPatch applies a JSON patch (RFC 6902) to a copy of a document.
func applyJSONPatch(document map[string]any, operations []any) (map[string]any, error) {
	patch, err := jsonpatch.Of(operations)
	if err != nil {
		return nil, fmt.Errorf("jsonPatch %w", err)
	}
	patched, err := patch.Apply(document)
	if err != nil {
		return nil, fmt.Errorf("jsonPatch %w", err)
	}
	return patched, nil
}
