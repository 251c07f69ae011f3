package declarative

import (
	"hash/maphash"
	"math/bits"
	"slices"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// keyTable finds out whether keys are distinct. A key has one part or several; it is
// at the first free slot from its hash on. The table is used again and again, so that
// nothing is allocated.
type keyTable struct {
	seed  maphash.Seed
	slots []int32   // 0: free, else one more than the index of a key
	parts []keyPart // of all keys, one key after the other
	gaps  bool      // some part was missing
}

// keyPart is a part of a key. What is missing equals itself alone.
type keyPart struct {
	is     partKind
	text   string
	number int64
}

type partKind uint8

const (
	missing partKind = iota
	aText
	anInteger
)

// largestTable bounds the keys of a table. Longer lists are left to counts, which keeps
// what they needed no longer than the object.
const largestTable = 1 << 12

// start empties the table for a number of keys.
func (t *keyTable) start(keys int) {
	width := 1 << bits.Len(uint(keys)) * 2
	if cap(t.slots) < width {
		t.slots, t.seed = make([]int32, width), maphash.MakeSeed()
	}
	t.slots, t.parts, t.gaps = t.slots[:width], t.parts[:0], false
}

// forget lets go of the object.
func (t *keyTable) forget() {
	clear(t.slots)
	clear(t.parts)
}

// hash mixes a part of a key into the hash of the parts before it.
func (t *keyTable) hash(before uint64, part keyPart) uint64 {
	const odd = 0x9e3779b97f4a7c15
	if part.is == aText {
		return before*odd + maphash.String(t.seed, part.text)
	}
	return (before*odd + uint64(part.number) + uint64(part.is)) * odd
}

// enter enters the key whose parts were added last. It is false when it is there
// already.
func (t *keyTable) enter(hash uint64, width int) bool {
	index := len(t.parts)/width - 1
	key := t.parts[index*width:]
	mask := len(t.slots) - 1
	at := int(hash>>32) & mask
	for ; t.slots[at] != 0; at = (at + 1) & mask {
		if same := int(t.slots[at]-1) * width; slices.Equal(t.parts[same:same+width], key) {
			return false
		}
	}
	t.slots[at] = int32(index + 1)
	return true
}

// distinct says that the items of a list are objects whose keys are strings and
// integers, or not there, and surely distinct. A false means nothing.
func (w *walk) distinct(list view.View, keys []string) bool {
	size := w.read.Len(list)
	if size > largestTable {
		return false
	}
	if items, ok := list.Items(); ok {
		return w.distinctData(items, keys)
	}
	t := &w.keys
	t.start(size)
	defer t.forget()
	for i := range size {
		item, _ := w.read.At(list, i)
		if item.Kind() != view.Map {
			return false
		}
		hash := uint64(0)
		for _, name := range keys {
			part, ok := w.keyPart(item, name)
			if !ok {
				return false
			}
			t.gaps = t.gaps || part.is == missing
			hash = t.hash(hash, part)
			t.parts = append(t.parts, part)
		}
		if !t.enter(hash, len(keys)) {
			return false
		}
	}
	return true
}

// distinctData is distinct for JSON data.
func (w *walk) distinctData(items []any, keys []string) bool {
	t := &w.keys
	t.start(len(items))
	defer t.forget()
	for _, x := range items {
		item, ok := x.(map[string]any)
		if !ok {
			return false
		}
		hash := uint64(0)
		for _, name := range keys {
			part := keyPart{}
			switch x := item[name].(type) {
			case string:
				part = keyPart{is: aText, text: x}
			case int64:
				part = keyPart{is: anInteger, number: x}
			default:
				if _, there := item[name]; there {
					return false
				}
				t.gaps = true
			}
			hash = t.hash(hash, part)
			t.parts = append(t.parts, part)
		}
		if !t.enter(hash, len(keys)) {
			return false
		}
	}
	return true
}

// keyPart is a part of the key of an item. In a typed object a null is a part that is
// not there.
func (w *walk) keyPart(item view.View, name string) (keyPart, bool) {
	v, ok := w.read.Field(item, name)
	if !ok || v.Typed() && v.Kind() == view.Null {
		return keyPart{}, true
	}
	return partOf(v)
}

func partOf(v view.View) (keyPart, bool) {
	switch v.Kind() {
	case view.String:
		return keyPart{is: aText, text: v.Str()}, true
	case view.Int:
		return keyPart{is: anInteger, number: v.Int()}, true
	}
	return keyPart{}, false
}

// distinctTexts says that the items of a list are surely distinct strings or integers.
// A false means nothing.
func (w *walk) distinctTexts(list view.View) bool {
	size := w.read.Len(list)
	if size > largestTable {
		return false
	}
	t := &w.keys
	t.start(size)
	defer t.forget()
	for i := range size {
		item, _ := w.read.At(list, i)
		part, ok := partOf(item)
		if !ok {
			return false
		}
		if t.parts = append(t.parts, part); !t.enter(t.hash(0, part), 1) {
			return false
		}
	}
	return true
}
