package generate

import "slices"

// Shrink removes parts of a JSON value, one by one, while the value stays interesting and until
// every remaining part matters. It turns generated objects into readable cases. The value is not
// changed.
func Shrink(value any, interesting func(any) bool) any {
	value = clone(value)
	for {
		smaller, ok := smallerOf(value, interesting)
		if !ok {
			return value
		}
		value = smaller
	}
}

// smallerOf removes the first part that does not matter.
func smallerOf(value any, interesting func(any) bool) (any, bool) {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(value) {
			part := value[key]
			delete(value, key)
			if interesting(value) || shrinkPart(value, part, func(smaller any) { value[key] = smaller }, interesting) {
				return value, true
			}
		}
	case []any:
		for i, part := range value {
			fewer := slices.Delete(slices.Clone(value), i, i+1)
			if interesting(fewer) {
				return fewer, true
			}
			if shrinkPart(value, part, func(smaller any) { value[i] = smaller }, interesting) {
				return value, true
			}
		}
	}
	return value, false
}

// shrinkPart takes out the first thing inside a part of a whole that does not matter; set puts
// what is left in the place of the part.
func shrinkPart(whole, part any, set func(any), interesting func(any) bool) bool {
	smaller, ok := smallerOf(part, func(smaller any) bool {
		set(smaller)
		return interesting(whole)
	})
	set(smaller)
	return ok
}
