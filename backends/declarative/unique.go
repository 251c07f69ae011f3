package declarative

import (
	"slices"
	"strconv"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// counts counts how often something was seen.
type counts map[string]int

// second says that key has now been seen for the second time: of several equal
// items the API server reports one, the second.
func (c counts) second(key []byte) bool {
	n := c[string(key)] + 1
	c[string(key)] = n
	return n == 2
}

// seen gives empty counts that are used again and again by a walk.
func (w *walk) seen(size int) counts {
	if w.counted == nil {
		w.counted = make(counts, size)
	}
	clear(w.counted)
	return w.counted
}

// duplicates are the indices of the items that equal an earlier one, one index
// for each value, in order.
func (w *walk) duplicates(list view.View) []int {
	size := w.read.Len(list)
	if size < 2 {
		return nil
	}
	var found []int
	seen := w.seen(size)
	for i := range size {
		v, _ := w.read.At(list, i)
		w.key = w.appendKey(w.key[:0], v)
		if seen.second(w.key) {
			found = append(found, i)
		}
	}
	return found
}

// itemKey is the key of an item of a list of type map. It is valid until the next
// call. A missing key differs from every value, null too.
func (w *walk) itemKey(item view.View, keys []string) []byte {
	w.key = w.key[:0]
	for _, name := range keys {
		if v, ok := w.read.Field(item, name); ok && !(v.Typed() && v.Kind() == view.Null) {
			w.key = w.appendKey(w.key, v)
		}
		w.key = append(w.key, ';')
	}
	return w.key
}

// appendKey writes a value such that two values have the same text if and only if
// they are equal.
func (w *walk) appendKey(key []byte, v view.View) []byte {
	switch v.Kind() {
	case view.Null:
		return append(key, 'n')
	case view.Bool:
		return strconv.AppendBool(key, v.Bool())
	case view.Int:
		return strconv.AppendInt(append(key, 'i'), v.Int(), 10)
	case view.Float:
		return strconv.AppendFloat(append(key, 'f'), v.Float(), 'g', -1, 64)
	case view.String:
		return strconv.AppendQuote(key, v.Str())
	case view.List:
		key = append(key, '[')
		for i := range w.read.Len(v) {
			item, _ := w.read.At(v, i)
			key = append(w.appendKey(key, item), ',')
		}
		return append(key, ']')
	case view.Map:
		key = append(key, '{')
		names := w.read.Keys(v)
		slices.Sort(names)
		for _, name := range names {
			entry, _ := w.read.Field(v, name)
			key = strconv.AppendQuote(key, name)
			key = append(w.appendKey(append(key, ':'), entry), ',')
		}
		return append(key, '}')
	}
	return append(key, '?')
}
