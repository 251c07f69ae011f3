package validate

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath"
)

// holder is a map or a list with the key or index of a field.
type holder struct {
	fields map[string]any
	key    string
	items  []any
	index  int
}

// findField returns the holder of a field in a JSON value, or nil. A dot in the path may belong to a key,
// and a key may be in brackets.
func findField(value any, path string) *holder {
	path = strings.TrimPrefix(path, ".")
	switch value := value.(type) {
	case map[string]any:
		if _, found := value[path]; found {
			return &holder{fields: value, key: path}
		}
		if key, rest, bracketed := strings.Cut(strings.TrimPrefix(path, "["), "]"); bracketed && path[0] == '[' {
			if _, found := value[key]; found && rest == "" {
				return &holder{fields: value, key: key}
			}
			return findField(value[key], rest)
		}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			rest, begins := strings.CutPrefix(path, key)
			if begins && rest != "" && (rest[0] == '.' || rest[0] == '[') {
				if found := findField(value[key], rest); found != nil {
					return found
				}
			}
		}
	case []any:
		digits, rest, _ := strings.Cut(strings.TrimPrefix(path, "["), "]")
		index, err := strconv.Atoi(digits)
		if err != nil || index < 0 || index >= len(value) {
			return nil
		}
		if rest == "" {
			return &holder{items: value, index: index}
		}
		return findField(value[index], rest)
	}
	return nil
}

func (h *holder) value() any {
	if h.fields != nil {
		return h.fields[h.key]
	}
	return h.items[h.index]
}

func (h *holder) set(value any) {
	if h.fields != nil {
		h.fields[h.key] = value
	} else {
		h.items[h.index] = value
	}
}

// dropField removes a field from a JSON value. It returns false if there is no such field, or if it is an
// item of a list.
func dropField(value any, path string) bool {
	found := findField(value, path)
	if found == nil || found.fields == nil {
		return false
	}
	delete(found.fields, found.key)
	return true
}

// dropValues removes the values of errors from a document and returns the removed fields. It removes a
// list with a wrong item as a whole, because the other items must not get other indices.
func dropValues(document map[string]any, errs field.ErrorList) []string {
	var dropped []string
	for _, err := range errs {
		path := err.Field
		for !isWithin(path, dropped) {
			if dropField(document, path) {
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
	return dropped
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
