package validate

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// holder is a map or a list, and the key or index of a field in it.
type holder struct {
	fields map[string]any
	key    string
	items  []any
	index  int
}

// findField finds a field in a value of JSON; nil: it is not there. A dot in the path may belong
// to a key, and a key may stand in brackets.
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

// dropField takes a field out of a value of JSON; false: it is not there, or is an item of a list.
func dropField(value any, path string) bool {
	found := findField(value, path)
	if found == nil || found.fields == nil {
		return false
	}
	delete(found.fields, found.key)
	return true
}

// dropValues takes the values of errors out of a document and says which fields are
// gone. Of a list with a wrong item all goes: the indexes of the others must stay
// what the user sees.
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

// isWithin says whether a path is one of some fields, or below one.
func isWithin(path string, fields []string) bool {
	return slices.ContainsFunc(fields, func(field string) bool {
		rest, below := strings.CutPrefix(path, field)
		return below && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}

// withoutBrackets writes each part of a path after a dot: schemas and Go types disagree about
// which keys stand in brackets.
func withoutBrackets(path string) string {
	return strings.TrimPrefix(strings.NewReplacer("[", ".", "]", "").Replace(path), ".")
}
