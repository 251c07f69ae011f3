package validate

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// dropField takes a field out of a value of JSON; false: it is not there. A dot
// in the path may belong to a key, and a key may stand in brackets.
func dropField(value any, path string) bool {
	path = strings.TrimPrefix(path, ".")
	switch value := value.(type) {
	case map[string]any:
		if _, found := value[path]; found {
			delete(value, path)
			return true
		}
		if key, rest, bracketed := strings.Cut(strings.TrimPrefix(path, "["), "]"); bracketed && path[0] == '[' {
			if _, found := value[key]; found && rest == "" {
				delete(value, key)
				return true
			}
			return dropField(value[key], rest)
		}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			rest, begins := strings.CutPrefix(path, key)
			if begins && rest != "" && (rest[0] == '.' || rest[0] == '[') && dropField(value[key], rest) {
				return true
			}
		}
	case []any:
		digits, rest, _ := strings.Cut(strings.TrimPrefix(path, "["), "]")
		index, err := strconv.Atoi(digits)
		return err == nil && 0 <= index && index < len(value) && dropField(value[index], rest)
	}
	return false
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
