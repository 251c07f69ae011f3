package generate

import "slices"

// Shrink takes parts out of a JSON value, one by one and as long as it stays
// interesting, until each one that is left matters. Use it to turn what a generator
// found into a case that a person reads. The value is not changed.
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

// smallerOf takes out the first part that does not matter.
func smallerOf(value any, interesting func(any) bool) (any, bool) {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(value) {
			part := value[key]
			delete(value, key)
			if interesting(value) {
				return value, true
			}
			inside := func(smaller any) bool {
				value[key] = smaller
				return interesting(value)
			}
			smaller, ok := smallerOf(part, inside)
			value[key] = smaller
			if ok {
				return value, true
			}
		}
	case []any:
		for i, part := range value {
			fewer := slices.Delete(slices.Clone(value), i, i+1)
			if interesting(fewer) {
				return fewer, true
			}
			inside := func(smaller any) bool {
				value[i] = smaller
				return interesting(value)
			}
			smaller, ok := smallerOf(part, inside)
			value[i] = smaller
			if ok {
				return value, true
			}
		}
	}
	return value, false
}
