package view

import (
	"cmp"
	"slices"
)

// Entry is an entry of a map.
type Entry struct {
	Key   string
	Value View
}

// Entries returns the entries of a map, sorted by key. They are valid until the Reader forgets the
// object, and must not be changed.
func (r *Reader) Entries(v View) []Entry {
	if t, ok := v.raw.(*Type); ok && t.form == aMap && v.kind == Map {
		return r.entriesOf(t, v.at)
	}
	all := make(entries, 0, r.Len(v))
	if v.kind == Map {
		r.Each(v, &all)
	}
	all.sort()
	return all
}

type entries []Entry

// Entry implements Visitor.
func (e *entries) Entry(key string, v View) bool {
	*e = append(*e, Entry{key, v})
	return true
}

// Item implements Visitor. A map has no items.
func (e *entries) Item(int, View) bool { return false }

func (e entries) sort() {
	slices.SortFunc(e, func(a, b Entry) int { return cmp.Compare(a.Key, b.Key) })
}

// get returns the entry of a key.
func (e entries) get(key string) (View, bool) {
	const few = 8
	i, found := 0, false
	if len(e) > few {
		i, found = slices.BinarySearchFunc(e, key, func(at Entry, key string) int { return cmp.Compare(at.Key, key) })
	} else {
		i = slices.IndexFunc(e, func(at Entry) bool { return at.Key == key })
		found = i >= 0
	}
	if !found {
		return View{}, false
	}
	return e[i].Value, true
}
