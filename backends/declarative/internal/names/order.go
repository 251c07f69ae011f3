package names

import (
	"slices"
	"sync/atomic"
)

// Order is which names to look up in maps of one schema that declares many: a range
// over a map of Go 1.26 takes as long as four lookups before it gives its first entry,
// and most maps of a schema have the same few of its names.
//
// It learns that from the first maps that it is shown and stays as it is then, so that
// goroutines do not wait for one another. What it gives is a hint: nothing but time
// depends on it. A nil Order never gives any.
type Order struct {
	table   *Table
	learned atomic.Pointer[advice]
	lesson  atomic.Pointer[lesson]
}

const (
	few     = 8  // entries of a map that may be looked up: a larger map has another form
	spare   = 6  // names that may be looked up in vain
	samples = 64 // maps that are learned from
)

// What is done with a map costs, in nanoseconds on one machine; only the proportions
// matter.
const (
	look  = 9  // a lookup, of a name that is there or not
	begin = 32 // a range, before its first entry
	step  = 10 // an entry of a range, with the search for its name in a table
)

// Plenty is how many entries a map must have for looking up all of so many names to
// cost no more than a range over it, so that nothing needs to be learned.
func Plenty(names int) int { return max(0, 2*(names-few-1)) }

// advice is the numbers of the names to look up in a map, by how many entries it has:
// none where a range is cheaper.
type advice struct {
	lists   [few + 1][]uint16
	numbers [few + 1][few + spare]uint16 // what lists are made of
}

// lesson is the maps that are learned from. Each belongs to the goroutine that took
// its place, until all are written.
type lesson struct {
	taken, written atomic.Int32
	maps           [samples]sample
	advice         *advice
}

// sample is the names of a map.
type sample struct {
	numbers [few]uint16
	entries uint8 // 0: the map is empty or has more than a few, and says nothing
}

// unknown is the number of what is in no table.
const unknown = most

// NewOrder makes an Order of the names of a table that has learned nothing. Nil: there
// are so many that nothing is to be learned.
func NewOrder(of *Table) *Order {
	if of.many != nil {
		return nil
	}
	return &Order{table: of}
}

// Lookups gives the numbers of names to look up in a map of so many entries before it
// is ranged over, each once and in rising order: none where a range is cheaper. The
// search ends when as many were found as there are entries, and is in vain when more
// are missing than names are left.
func (o *Order) Lookups(entries int) []uint16 {
	if o == nil || entries > few {
		return nil
	}
	if learned := o.learned.Load(); learned != nil {
		return learned.lists[entries]
	}
	return nil
}

// Learn is shown the maps that are ranged over.
func (o *Order) Learn(m map[string]any) {
	if o != nil && o.learned.Load() == nil {
		o.learn(m)
	}
}

// learn takes a map as a sample. All memory is taken with the first one: whoever
// validates often should see none taken later.
func (o *Order) learn(m map[string]any) {
	l := o.lesson.Load()
	if l == nil {
		if o.learned.Load() != nil {
			return // it has just ended
		}
		l = &lesson{advice: &advice{}}
		if !o.lesson.CompareAndSwap(nil, l) {
			return // another goroutine began
		}
	}
	at := l.taken.Add(1) - 1
	if at >= samples {
		return
	}
	if len(m) <= few {
		s := &l.maps[at]
		for name := range m {
			s.numbers[s.entries] = uint16(o.table.Find(name)) // -1 is unknown
			s.entries++
		}
	}
	if l.written.Add(1) == samples {
		for entries := 1; entries <= few; entries++ {
			l.advise(entries)
		}
		o.learned.Store(l.advice)
		o.lesson.Store(nil)
	}
}

// advise finds what to look up in maps of a number of entries: of the names that were
// in most of such maps as many as would have been cheapest. They are looked up in
// rising order: in maps from JSON whose keys were in order, as the API server writes
// them, they then lie one behind the other, which processors foresee.
func (l *lesson) advise(entries int) {
	var frequent, list [few + spare]uint16
	frequently := l.frequent(entries, frequent[:entries+spare])
	best := l.cost(entries, nil)
	for n := 1; n <= frequently; n++ {
		list = frequent
		slices.Sort(list[:n])
		if cost := l.cost(entries, list[:n]); cost < best {
			best = cost
			l.advice.numbers[entries] = list
			l.advice.lists[entries] = l.advice.numbers[entries][:n]
		}
	}
}

// frequent fills in the names that are in most maps of a number of entries, the most
// frequent one first, and says how many there are.
func (l *lesson) frequent(entries int, into []uint16) int {
	var numbers, counts [samples * few]uint16
	different := 0
	for at := range l.maps {
		for _, number := range l.maps[at].of(entries) {
			if number == unknown {
				continue
			}
			i := slices.Index(numbers[:different], number)
			if i < 0 {
				i, different = different, different+1
				numbers[i] = number
			}
			counts[i]++
		}
	}
	for n := range into {
		first := 0
		for i := range different {
			if counts[i] > counts[first] || counts[i] == counts[first] && numbers[i] < numbers[first] {
				first = i
			}
		}
		if counts[first] == 0 {
			return n
		}
		into[n], counts[first] = numbers[first], 0
	}
	return len(into)
}

// of is the names of a map that has a number of entries, and none of others.
func (s *sample) of(entries int) []uint16 {
	if int(s.entries) != entries {
		return nil
	}
	return s.numbers[:entries]
}

// cost is what the maps of a number of entries would have cost with some lookups
// before the range.
func (l *lesson) cost(entries int, lookups []uint16) int {
	sum := 0
	for at := range l.maps {
		there := l.maps[at].of(entries)
		if there == nil {
			continue
		}
		left := entries
		for i, number := range lookups {
			sum += look
			if slices.Contains(there, number) {
				left--
			} else if left >= len(lookups)-i {
				break
			}
			if left == 0 {
				break
			}
		}
		if left > 0 {
			sum += begin + step*entries
		}
	}
	return sum
}
