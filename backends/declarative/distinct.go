package declarative

import (
	"hash/maphash"
	"math/bits"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// keyTable finds out whether keys are distinct. A key has one part or several; it is
// at the first free slot from its hash on. The table is used again and again, so that
// nothing is allocated.
type keyTable struct {
	seed  maphash.Seed
	slots []int32 // 0: free, else one more than the index of a key
	parts []any   // of all keys, one key after the other: strings, int64 and missing
	gaps  bool    // some part was missing
}

// missing is the part of a key that an item does not have. It equals itself alone.
type missing struct{}

// largestTable bounds the keys of a table. Longer lists are left to counts, which does
// not keep what it needed once.
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

// hash mixes a part of a key into the hash of the parts before it. A part of another
// type than those of keys is not hashed.
func (t *keyTable) hash(before uint64, part any) (mixed uint64, ok bool) {
	switch part := part.(type) {
	case string:
		return before*31 + maphash.String(t.seed, part), true
	case int64:
		return (before*31 + uint64(part)) * 0x9e3779b97f4a7c15, true
	case missing:
		return before*31 + 1, true
	}
	return 0, false
}

// enter enters the key whose parts were added last. It is false when it is there
// already.
func (t *keyTable) enter(hash uint64, width int) bool {
	index := len(t.parts)/width - 1
	key := t.parts[index*width:]
	mask := len(t.slots) - 1
	at := int(hash>>32) & mask
	for ; t.slots[at] != 0; at = (at + 1) & mask {
		if same := int(t.slots[at]-1) * width; equalParts(t.parts[same:same+width], key) {
			return false
		}
	}
	t.slots[at] = int32(index + 1)
	return true
}

func equalParts(a, b []any) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// distinct says that the items of a list are objects of JSON data whose keys are
// strings and integers, or not there, and surely distinct. A false means nothing.
func (w *walk) distinct(list view.View, keys []string) bool {
	items, ok := list.Items()
	if !ok || len(items) > largestTable {
		return false
	}
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
			part, there := item[name]
			if !there {
				part, t.gaps = missing{}, true
			}
			if hash, ok = t.hash(hash, part); !ok {
				return false
			}
			t.parts = append(t.parts, part)
		}
		if !t.enter(hash, len(keys)) {
			return false
		}
	}
	return true
}

// distinctTexts says that the items of a list are surely distinct strings or integers.
// A false means nothing.
func (w *walk) distinctTexts(items []any) bool {
	if len(items) > largestTable {
		return false
	}
	t := &w.keys
	t.start(len(items))
	defer t.forget()
	for _, x := range items {
		hash, ok := t.hash(0, x)
		if !ok {
			return false
		}
		if t.parts = append(t.parts, x); !t.enter(hash, 1) {
			return false
		}
	}
	return true
}
