package names

import (
	"hash/maphash"
	"math/bits"
	"slices"
)

// Table finds the number of a name. The zero Table has no names. It never changes
// and may be used by many goroutines at once.
type Table struct {
	names []string
	slots []uint16 // 0: empty, else one more than a number
	shift uint8    // of the hash, so that it is a slot
	seed  uint64
	whole *maphash.Seed  // nil: a few bytes of a name tell it apart
	many  map[string]int // instead of slots, of more names than these can number
}

// most is how many names slots can number.
const most = 1<<16 - 1

// Make makes the table of names; the number of a name is its index, of a name that
// is given twice the first.
func Make(names []string) Table {
	t := Table{names: names}
	switch {
	case len(names) == 0:
		return t
	case len(names) > most:
		t.enter()
		return t
	}
	t.shift = uint8(64 - bits.Len(uint(2*len(names)-1)))
	t.slots = make([]uint16, 1<<(64-t.shift))
	const tries = 8
	seed, fewest := uint64(0), -1
	for try := range uint64(tries) {
		t.seed = 0x9e3779b97f4a7c15 * (2*try + 1)
		if steps := t.fill(); fewest < 0 || steps < fewest {
			seed, fewest = t.seed, steps
		}
		if fewest == 0 {
			return t
		}
	}
	t.seed = seed
	if fewest > len(names) {
		t.whole = new(maphash.MakeSeed())
	}
	t.fill()
	return t
}

// enter enters many names.
func (t *Table) enter() {
	t.many = make(map[string]int, len(t.names))
	for i, name := range slices.Backward(t.names) {
		t.many[name] = i
	}
}

// fill enters the names and says how many steps away from their slots they are. It
// gives up where they are so many that another hash is taken anyway.
func (t *Table) fill() (steps int) {
	clear(t.slots)
	for i, name := range t.names {
		at := t.slot(name)
		for t.slots[at] != 0 && t.names[t.slots[at]-1] != name {
			at = (at + 1) & (len(t.slots) - 1)
			steps++
		}
		if steps > len(t.names) && t.whole == nil {
			return steps
		}
		if t.slots[at] == 0 {
			t.slots[at] = uint16(i + 1)
		}
	}
	return steps
}

// Find gives the number of a name, or -1.
func (t *Table) Find(name string) int {
	if len(t.slots) == 0 {
		if i, found := t.many[name]; found {
			return i
		}
		return -1
	}
	mask := len(t.slots) - 1
	for at := t.slot(name) & mask; ; at = (at + 1) & mask {
		i := int(t.slots[at]) - 1
		if i < 0 || t.names[i] == name {
			return i
		}
	}
}

// Len is the number of names.
func (t *Table) Len() int { return len(t.names) }

// Name is the name of a number.
func (t *Table) Name(i int) string { return t.names[i] }

// slot is where the search for a name begins. Only four bytes and the length count,
// but in a table with many names that agree in these.
func (t *Table) slot(s string) int {
	if t.whole != nil {
		return int(maphash.String(*t.whole, s) >> t.shift)
	}
	n := len(s)
	if n == 0 {
		return 0
	}
	some := uint64(s[0]) | uint64(s[n/2])<<8 | uint64(s[n-1])<<16 | uint64(n)<<24
	if n >= 4 {
		some |= uint64(s[n/4]) << 40
	}
	return int(some * t.seed >> t.shift)
}
