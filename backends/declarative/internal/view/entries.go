package view

import "sort"

// Entries are the entries of a map, sorted by key. They stay valid as long as the object.
type Entries struct {
	Keys   []string
	Values []View
}

// Entries gives the entries of a map.
func (r *Reader) Entries(v View) *Entries {
	n := r.Len(v)
	e := &Entries{Keys: make([]string, 0, n), Values: make([]View, 0, n)}
	if v.kind == Map {
		r.Each(v, e)
	}
	sort.Sort(e)
	return e
}

// Entry implements Visitor.
func (e *Entries) Entry(key string, v View) bool {
	e.Keys, e.Values = append(e.Keys, key), append(e.Values, v)
	return true
}

// Item implements Visitor. Maps have no items.
func (e *Entries) Item(int, View) bool { return false }

// Len implements sort.Interface.
func (e *Entries) Len() int { return len(e.Keys) }

// Less implements sort.Interface.
func (e *Entries) Less(i, k int) bool { return e.Keys[i] < e.Keys[k] }

// Swap implements sort.Interface.
func (e *Entries) Swap(i, k int) {
	e.Keys[i], e.Keys[k] = e.Keys[k], e.Keys[i]
	e.Values[i], e.Values[k] = e.Values[k], e.Values[i]
}
