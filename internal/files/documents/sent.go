package documents

import (
	"maps"
	"math"
	"slices"
)

// AsSent returns a copy of a document with the numbers that the API server receives from kubectl, or
// from another client that decodes and encodes documents. Such a client writes a float64 without a
// fraction as 3, even if its file has 3.0. The API server distinguishes the two: CEL rules and the
// scale subresource accept only integers where the schema says so.
func AsSent(document map[string]any) map[string]any {
	sent, _ := sentValue(document)
	object, _ := sent.(map[string]any)
	return object
}

// sentValue also reports whether the value changed. If not, it is not copied.
func sentValue(value any) (any, bool) {
	switch value := value.(type) {
	case float64:
		if integer := int64(value); math.Abs(value) < 1<<63 && float64(integer) == value {
			return integer, true
		}
	case map[string]any:
		var sent map[string]any
		for key, item := range value {
			if item, differs := sentValue(item); differs {
				if sent == nil {
					sent = maps.Clone(value)
				}
				sent[key] = item
			}
		}
		if sent != nil {
			return sent, true
		}
	case []any:
		var sent []any
		for i, item := range value {
			if item, differs := sentValue(item); differs {
				if sent == nil {
					sent = slices.Clone(value)
				}
				sent[i] = item
			}
		}
		if sent != nil {
			return sent, true
		}
	}
	return value, false
}
