package validate

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/object"
)

// dropField returns a document without a field. It returns false if there is no such field, or if it is an item of a list.
func dropField(document map[string]any, path string) (map[string]any, bool) {
	at, found := object.Find(document, path)
	if !found || at[len(at)-1].Kind == object.Item {
		return document, false
	}
	return at.Delete(document), true
}

// dropValues returns a document without the values of errors, and the removed fields. It removes a
// list with a wrong item as a whole, because the other items must not get other indices.
func dropValues(document map[string]any, errs field.ErrorList) (left map[string]any, dropped []string) {
	for _, err := range errs {
		path := err.Field
		for !isWithin(path, dropped) {
			var has bool
			if document, has = dropField(document, path); has {
				dropped = append(dropped, path)
				break
			}
			cut := strings.LastIndexByte(path, '[')
			if cut <= 0 {
				break
			}
			path = path[:cut]
		}
	}
	return document, dropped
}

// isWithin reports whether a path is one of some fields, or below one.
func isWithin(path string, fields []string) bool {
	return slices.ContainsFunc(fields, func(field string) bool { return fieldpath.AtOrBelow(path, field) })
}

// withoutBrackets returns a path with dots in place of brackets, because schemas and Go types disagree about
// which keys are in brackets.
func withoutBrackets(path string) string {
	return strings.TrimPrefix(strings.NewReplacer("[", ".", "]", "").Replace(path), ".")
}
