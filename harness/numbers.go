package harness

import (
	"maps"
	"math"
	"slices"
)

// asWritten gives a document with the numbers that a reader of its JSON text has: a
// float64 without a fraction is written as an integer. encoding/json reads every number
// into a float64, but a client that sends the document writes 1, not 1.0, and CEL and
// the scale subresource take only integers where the schema says so. With exact, floats stay.
// The document itself does not change. The error names a value that stands for none of JSON.
func asWritten(document map[string]any, exact bool) (map[string]any, error) {
	if !isJSON(document) {
		return nil, valueOfJSON(document, "")
	}
	if exact {
		return document, nil
	}
	written, _ := writtenValue(document)
	return written.(map[string]any), nil
}

// isJSON says whether valueOfJSON finds nothing, without the cost of a path.
func isJSON(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		for _, item := range value {
			if !isJSON(item) {
				return false
			}
		}
		return true
	case []any:
		return !slices.ContainsFunc(value, func(item any) bool { return !isJSON(item) })
	}
	return valueOfJSON(value, "") == nil
}

// writtenValue also says whether anything is other than before; if not, nothing is copied.
func writtenValue(value any) (any, bool) {
	switch value := value.(type) {
	case float64:
		if integer := int64(value); math.Abs(value) < 1<<63 && float64(integer) == value {
			return integer, true
		}
	case map[string]any:
		var written map[string]any
		for key, item := range value {
			if item, differs := writtenValue(item); differs {
				if written == nil {
					written = maps.Clone(value)
				}
				written[key] = item
			}
		}
		if written != nil {
			return written, true
		}
	case []any:
		var written []any
		for i, item := range value {
			if item, differs := writtenValue(item); differs {
				if written == nil {
					written = slices.Clone(value)
				}
				written[i] = item
			}
		}
		if written != nil {
			return written, true
		}
	}
	return value, false
}
