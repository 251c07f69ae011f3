package cel

import (
	"hash/maphash"
	"math/bits"
)

// seen finds out which texts and integers there were before. It is used again without
// being made again.
type seen struct {
	seed  maphash.Seed
	slots []int32 // of items, from 1
	items []datum
}

// reset forgets all, and makes room for n items.
func (s *seen) reset(n int) {
	width := 1 << bits.Len(uint(2*n+1))
	if cap(s.slots) < width {
		s.seed, s.slots = maphash.MakeSeed(), make([]int32, width)
	}
	s.slots = s.slots[:width]
	clear(s.slots)
	s.forget()
}

// forget lets go of the items.
func (s *seen) forget() {
	clear(s.items)
	s.items = s.items[:0]
}

// add says that an item is new.
func (s *seen) add(d *datum) bool {
	hash := uint64(d.n) * 0x9e3779b97f4a7c15
	if d.kind == aText {
		hash = maphash.String(s.seed, d.s)
	}
	mask := uint64(len(s.slots) - 1)
	at := (hash ^ hash>>32) & mask
	for ; s.slots[at] != 0; at = (at + 1) & mask {
		if other := &s.items[s.slots[at]-1]; other.kind == d.kind && other.n == d.n && other.s == d.s {
			return false
		}
	}
	s.items = append(s.items, *d)
	s.slots[at] = int32(len(s.items))
	return true
}
