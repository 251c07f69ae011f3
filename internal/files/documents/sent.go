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
	sent, _ := Replaced(document, sentNumber)
	object, _ := sent.(map[string]any)
	return object
}

func sentNumber(value any) (any, bool) {
	if value, is := value.(float64); is {
		if integer := int64(value); math.Abs(value) < 1<<63 && float64(integer) == value {
			return integer, true
		}
	}
	return value, false
}

// Replaced returns a document, or a value of one, in which replace replaced values, the innermost first. replace and
// Replaced also report whether the value changed. If not, it is not copied.
func Replaced(value any, replace func(any) (any, bool)) (any, bool) {
	changed := false
	switch of := value.(type) {
	case map[string]any:
		var copied map[string]any
		for key, item := range of {
			if item, differs := Replaced(item, replace); differs {
				if copied == nil {
					copied = maps.Clone(of)
				}
				copied[key] = item
			}
		}
		if changed = copied != nil; changed {
			value = copied
		}
	case []any:
		var copied []any
		for i, item := range of {
			if item, differs := Replaced(item, replace); differs {
				if copied == nil {
					copied = slices.Clone(of)
				}
				copied[i] = item
			}
		}
		if changed = copied != nil; changed {
			value = copied
		}
	}
	replaced, differs := replace(value)
	return replaced, changed || differs
}
