package cases

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/internal/documents"
	"github.com/diffrun/diffrun/internal/jsonwords"
)

// merge applies a merge patch (RFC 7386) to a document, which it leaves as it
// is. Patch libraries work on bytes, where 1.0 and 1 become the same; here
// numbers keep the form that the case gives them.
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

// applyJSONPatch applies a JSON patch (RFC 6902) to a document, which it
// leaves as it is.
func applyJSONPatch(document map[string]any, operations []any) (map[string]any, error) {
	before, err := json.Marshal(keepFloats(document))
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(keepFloats(operations))
	if err != nil {
		return nil, err
	}
	patch, err := jsonpatch.DecodePatch(text)
	if err != nil {
		return nil, fmt.Errorf("jsonPatch is not a list of JSON patch operations (RFC 6902): %w", jsonwords.Of(err, "an operation"))
	}
	after, err := applyEach(before, patch)
	if err != nil {
		return nil, fmt.Errorf("jsonPatch does not apply: %w", err)
	}
	var patched any
	if err := kjson.UnmarshalCaseSensitivePreserveInts(after, &patched); err != nil {
		return nil, err
	}
	object, isObject := patched.(map[string]any)
	if !isObject {
		return nil, fmt.Errorf("jsonPatch leaves no object but %s", after)
	}
	return object, nil
}

// applyEach applies operations one at a time: twenty copies of a document into
// itself would make a million of it before anybody could look at its size.
func applyEach(document []byte, patch jsonpatch.Patch) ([]byte, error) {
	for i := range patch {
		patched, err := patch[i : i+1].Apply(document)
		if err != nil {
			return nil, fmt.Errorf("operation %d: %w", i, err)
		}
		if len(patched) > 2*documents.MaxSize {
			return nil, fmt.Errorf("operation %d makes the object larger than %d MiB", i, 2*documents.MaxSize>>20)
		}
		document = patched
	}
	return document, nil
}

// keepFloats copies a value so that encoding writes whole floats as 1.0, which
// is read back as a float, and not as 1, which would be read as an integer.
func keepFloats(value any) any {
	switch value := value.(type) {
	case map[string]any:
		kept := make(map[string]any, len(value))
		for key, member := range value {
			kept[key] = keepFloats(member)
		}
		return kept
	case []any:
		kept := make([]any, len(value))
		for i, item := range value {
			kept[i] = keepFloats(item)
		}
		return kept
	case float64:
		if value == math.Trunc(value) && math.Abs(value) < 1e21 {
			return json.Number(fmt.Sprintf("%.1f", value))
		}
	}
	return value
}
