package harness

import (
	"slices"

	"github.com/diffrun/diffrun/internal/files/documents"
)

// asWritten returns a document with the numbers of its JSON text: a float64 without a fraction
// becomes an integer. encoding/json reads every number into a float64, but a client that sends the
// document writes 1, not 1.0, and CEL and the scale subresource take only integers where the schema
// says so. With exact, floats stay. The document itself does not change. The error names a value
// that JSON lacks.
func asWritten(document map[string]any, exact bool) (map[string]any, error) {
	if !isJSON(document) {
		return nil, valueOfJSON(document, "")
	}
	if exact {
		return document, nil
	}
	return documents.AsSent(document), nil
}

// isJSON reports whether valueOfJSON returns nil, without the cost of a path.
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
