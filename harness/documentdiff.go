package harness

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
)

// documentComparison compares two documents field by field.
type documentComparison struct {
	// class is the class of the pairs.
	class difference.Class
	// absent reports whether a value is equivalent to an absent field.
	absent func(any) bool
	// byItem compares lists of different lengths item by item, unless one is empty.
	byItem bool
	// side returns a side of a pair.
	side func(at string, value any) *field.Error
}

// missing is the value of an absent field.
type missing struct{}

func isMissing(value any) bool { return value == missing{} }

// pairs returns the fields whose values differ, sorted. It compares an absent object with an object
// field by field, unless no field differs.
func (c documentComparison) pairs(at string, native, declarative any) []equivalence.Pair {
	if reflect.DeepEqual(native, declarative) || c.absent(native) && c.absent(declarative) {
		return nil
	}
	ours, areObjects := c.fields(native, declarative)
	theirs, _ := c.fields(declarative, native)
	if areObjects {
		var pairs []equivalence.Pair
		for _, key := range slices.Sorted(maps.Keys(union(ours, theirs))) {
			pairs = append(pairs, c.pairs(child(at, key), valueOf(ours, key), valueOf(theirs, key))...)
		}
		if len(pairs) > 0 || c.absent(native) == c.absent(declarative) {
			return pairs
		}
	}
	items, isList := native.([]any)
	others, bothLists := declarative.([]any)
	if isList && bothLists && (len(items) == len(others) || c.byItem && len(items) > 0 && len(others) > 0) {
		return c.items(at, items, others)
	}
	return []equivalence.Pair{{Class: c.class, Native: c.side(at, native), Declarative: c.side(at, declarative)}}
}

// items compares two lists item by item, without their common prefix and suffix.
func (c documentComparison) items(at string, native, declarative []any) []equivalence.Pair {
	first, last := 0, min(len(native), len(declarative))
	for first < last && reflect.DeepEqual(native[first], declarative[first]) {
		first++
	}
	for first < last && reflect.DeepEqual(native[len(native)-1], declarative[len(declarative)-1]) {
		native, declarative, last = native[:len(native)-1], declarative[:len(declarative)-1], last-1
	}
	var pairs []equivalence.Pair
	for i := first; i < max(len(native), len(declarative)); i++ {
		pairs = append(pairs, c.pairs(at+"["+strconv.Itoa(i)+"]", itemOf(native, i), itemOf(declarative, i))...)
	}
	return pairs
}

// itemOf returns an item of a list, or missing.
func itemOf(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return missing{}
}

// fields returns the fields of a value, if it and other are compared field by field.
func (c documentComparison) fields(value, other any) (map[string]any, bool) {
	object, isObject := value.(map[string]any)
	_, isOpposite := other.(map[string]any)
	switch {
	case isObject && isOpposite:
		return object, true
	case isObject && c.absent(other):
		return object, true
	case isOpposite && c.absent(value):
		return nil, true
	}
	return nil, false
}

// valueOf returns the value of a field, or missing.
func valueOf(object map[string]any, key string) any {
	if value, has := object[key]; has {
		return value
	}
	return missing{}
}

func union(a, b map[string]any) map[string]any {
	all := maps.Clone(a)
	if all == nil {
		return b
	}
	maps.Copy(all, b)
	return all
}

// fieldName matches keys of documents that are field names.
var fieldName = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// child returns the path of a field, or of a map key that is not a field name.
func child(at, key string) string {
	switch {
	case !fieldName.MatchString(key):
		return at + "[" + key + "]"
	case at == "":
		return key
	}
	return at + "." + key
}
