package documents

import (
	"maps"
	"math"
	"slices"
)

// AsSent gives a document with the numbers that the API server reads when kubectl, or another
// client that reads documents and writes them again, has sent it: such a client writes a
// float64 without a fraction as 3, also where its file has 3.0. The API server tells the two
// apart: CEL rules and the scale subresource take only integers where the schema says so. The
// document itself does not change.
func AsSent(document map[string]any) map[string]any {
	sent, _ := sentValue(document)
	object, _ := sent.(map[string]any)
	return object
}

// sentValue also says whether anything is other than before; if not, nothing is copied.
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
