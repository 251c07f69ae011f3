package soak

import (
	"strings"
	"unicode"
)

// redacted gives an object of the same shape without its values: letters become "x" or "X"
// and digits "0", other characters stay, numbers keep their sign and their digits become 1,
// and the names of fields stay. Keys of labels, annotations and data are names of fields
// too. The object still says what it is.
func redacted(object map[string]any) map[string]any {
	shape := redactedFields(object)
	for _, kept := range []string{"apiVersion", "kind"} {
		if value, said := object[kept]; said {
			shape[kept] = value
		}
	}
	return shape
}

func redactedFields(object map[string]any) map[string]any {
	shape := make(map[string]any, len(object))
	for key, value := range object {
		shape[key] = redactedValue(value)
	}
	return shape
}

func redactedValue(value any) any {
	switch value := value.(type) {
	case map[string]any:
		return redactedFields(value)
	case []any:
		shape := make([]any, len(value))
		for i, item := range value {
			shape[i] = redactedValue(item)
		}
		return shape
	case string:
		return strings.Map(redactedRune, value)
	case int64:
		return redactedInteger(value)
	case float64:
		return float64(redactedInteger(int64(value))) + 0.5
	}
	return value // true, false, null
}

func redactedRune(r rune) rune {
	switch {
	case unicode.IsUpper(r):
		return 'X'
	case unicode.IsLetter(r):
		return 'x'
	case unicode.IsDigit(r):
		return '0'
	}
	return r
}

// redactedInteger keeps zero, the sign and the number of digits.
func redactedInteger(value int64) int64 {
	shape := int64(0)
	for rest := value; rest != 0; rest /= 10 {
		shape = shape*10 + 1
	}
	if value < 0 {
		return -shape
	}
	return shape
}
