package declarative

import (
	"bytes"
	"hash/maphash"
	"math"
	"slices"
	"strconv"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// counts counts how often keys were seen. It keeps them in one buffer and finds
// them by their hash, so that a walk that uses it again and again allocates
// nothing.
type counts struct {
	seed    maphash.Seed
	buffer  []byte
	entries []counted
	first   map[uint64]int // of the entries with a hash; they are linked
}

// counted is one key in the buffer.
type counted struct {
	start, end int
	times      int
	next       int // -1 at the end
}

// second says that key has now been seen for the second time: of several equal
// items the API server reports one, the second.
func (c *counts) second(key []byte) bool {
	hash := maphash.Bytes(c.seed, key)
	head, ok := c.first[hash]
	if !ok {
		head = -1
	}
	for i := head; i >= 0; i = c.entries[i].next {
		if e := &c.entries[i]; bytes.Equal(c.buffer[e.start:e.end], key) {
			e.times++
			return e.times == 2
		}
	}
	start := len(c.buffer)
	c.buffer = append(c.buffer, key...)
	c.first[hash] = len(c.entries)
	c.entries = append(c.entries, counted{start: start, end: len(c.buffer), times: 1, next: head})
	return false
}

// forget lets go of what a long list needed: as a map that was large once it would stay
// as dear to clear.
func (c *counts) forget() {
	if len(c.entries) > largestTable {
		*c = counts{}
	}
}

// seen gives empty counts. It is used by one check at a time.
func (w *walk) seen() *counts {
	c := &w.counts
	if c.first == nil {
		c.seed, c.first = maphash.MakeSeed(), map[uint64]int{}
	}
	clear(c.first)
	c.buffer, c.entries = c.buffer[:0], c.entries[:0]
	return c
}

// numbersIn says when an integer and a float are the same.
type numbersIn uint8

const (
	// asValues: never. 1 and 1.0 are two values, and a zero has no sign.
	asValues numbersIn = iota
	// asText: when their JSON is the same. So the API server compares lists of type set
	// and map: their items, or keys, by their JSON if they are compound or several, and
	// as values if they are scalars (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype).
	asText
	// asDigits: never, and floats are the same when six digits after the point are. So the
	// API server finds old items by several keys (k8s.io/apiserver/pkg/cel/common, MapList).
	asDigits
)

// ofItem is what holds for an item, or for the one key of an item.
func (n numbersIn) ofItem(v view.View) numbersIn {
	if k := v.Kind(); k == view.List || k == view.Map {
		return n
	}
	return asValues
}

// duplicates are the indices of the items that equal an earlier one, one index
// for each value, in order.
func (w *walk) duplicates(list view.View, same numbersIn) []int {
	size := w.read.Len(list)
	if size < 2 {
		return nil
	}
	var found []int
	seen := w.seen()
	for i := range size {
		v, _ := w.read.At(list, i)
		w.key = w.appendKey(w.key[:0], v, same.ofItem(v))
		if seen.second(w.key) {
			found = append(found, i)
		}
	}
	return found
}

// unique says that no two items are equal.
func (w *walk) unique(list view.View, same numbersIn) bool {
	return w.distinctTexts(list) || len(w.duplicates(list, same)) == 0
}

// itemKey is the key of an item of a list of type map. It is valid until the next
// call. A missing key differs from every value, null too.
func (w *walk) itemKey(item view.View, keys []string, same numbersIn) []byte {
	w.key = w.key[:0]
	single := len(keys) == 1
	for _, name := range keys {
		if v, ok := w.read.Field(item, name); ok && !(v.Typed() && v.Kind() == view.Null) {
			numbers := same
			if single {
				numbers = same.ofItem(v)
			}
			w.key = w.appendKey(w.key, v, numbers)
		}
		w.key = append(w.key, ';')
	}
	return w.key
}

// appendKey writes a value such that two values have the same text if and only if
// they are equal, with numbers as same says.
func (w *walk) appendKey(key []byte, v view.View, same numbersIn) []byte {
	switch v.Kind() {
	case view.Null:
		return append(key, 'n')
	case view.Bool:
		return strconv.AppendBool(key, v.Bool())
	case view.Int:
		return strconv.AppendInt(append(key, 'i'), v.Int(), 10)
	case view.Float:
		return same.appendFloat(key, v.Float())
	case view.String:
		return appendString(key, v.Str())
	case view.List:
		key = append(key, '[')
		for i := range w.read.Len(v) {
			item, _ := w.read.At(v, i)
			key = append(w.appendKey(key, item, same), ',')
		}
		return append(key, ']')
	case view.Map:
		key = append(key, '{')
		names := w.read.Keys(v)
		slices.Sort(names)
		for _, name := range names {
			entry, _ := w.read.Field(v, name)
			key = appendString(key, name)
			key = append(w.appendKey(append(key, ':'), entry, same), ',')
		}
		return append(key, '}')
	}
	return append(key, '?')
}

// appendFloat writes as much of a float as counts.
func (n numbersIn) appendFloat(key []byte, f float64) []byte {
	switch {
	case n == asText && math.Abs(f) < 1e21: // from there on JSON writes an exponent
		return strconv.AppendFloat(append(key, 'i'), f, 'f', -1, 64)
	case n == asDigits:
		return strconv.AppendFloat(append(key, 'f'), f, 'f', 6, 64)
	case f == 0:
		f = 0 // and not -0
	}
	return strconv.AppendFloat(append(key, 'f'), f, 'g', -1, 64)
}

// appendString writes a string with its length before it, so that no quoting is
// needed for it to end where it ends.
func appendString(key []byte, s string) []byte {
	key = strconv.AppendInt(append(key, 's'), int64(len(s)), 10)
	return append(append(key, ':'), s...)
}
