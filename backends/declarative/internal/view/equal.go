package view

import "iter"

// Equality defines how the values of one schema are compared, where that depends on more than the data.
type Equality interface {
	// Compares reports whether a value can be equal to any value.
	Compares(v View) bool
	// Entry returns the Equality of an entry of a map; nil compares it simply. It is false if
	// a map with the entry equals nothing.
	Entry(name string) (Equality, bool)
	// Pairs returns, for each item of a, the index of the item of b to compare with, and the
	// Equality of items. Nil indexes compare by position. Both lists have the same length. It
	// is false if they are not equal.
	Pairs(r *Reader, a, b View) (indexes []int, items Equality, ok bool)
	// Missing reports whether an entry of a map counts as missing, so that it equals no entry.
	Missing(r *Reader, name string, v View) bool
}

// deepest bounds the depth of a comparison: a Go object may contain itself. encoding/json
// decodes no deeper values. Deeper values are not equal.
const deepest = 10_000

// Equal compares two values deeply. An integer never equals a float, even if both are written 1,
// as in Kubernetes' comparison of unstructured objects.
func (r *Reader) Equal(a, b View) bool { return r.EqualBy(a, b, nil) }

// EqualBy compares two values deeply, as an Equality says.
func (r *Reader) EqualBy(a, b View, by Equality) bool {
	r.firstDifference = r.firstDifference[:0]
	return r.equal(a, b, by, 0)
}

// FirstDifference returns the path to the first difference that the last comparison found, the last step
// first. Items are compared in order, and fields in the order of their names. The path ends at a map that
// is not a struct, because entries have no order.
func (r *Reader) FirstDifference() []Step { return r.firstDifference }

// Step leads to a field of a struct or to an item.
type Step struct {
	Name  string
	Index int
}

func (r *Reader) equal(a, b View, by Equality, depth int) bool {
	if a.kind != b.kind || depth > deepest || by != nil && !(by.Compares(a) && by.Compares(b)) {
		return false
	}
	switch a.kind {
	case List:
		return r.equalLists(a, b, by, depth+1)
	case Map:
		return r.equalMaps(a, b, by, depth+1)
	}
	return equalScalars(a, b)
}

// equalScalars compares two values of one kind that are neither list nor map.
func equalScalars(a, b View) bool {
	switch a.kind {
	case Null:
		return true
	case Bool:
		return a.Bool() == b.Bool()
	case Int:
		return a.Int() == b.Int()
	case Float:
		return a.Float() == b.Float()
	case String:
		return a.sameQuantity(b) || a.Str() == b.Str()
	}
	return false
}

func (r *Reader) equalLists(a, b View, by Equality, depth int) bool {
	n := r.Len(a)
	if n != r.Len(b) {
		return false
	}
	var indexes []int
	var items Equality
	if by != nil {
		var ok bool
		if indexes, items, ok = by.Pairs(r, a, b); !ok {
			return false
		}
	}
	for i := range n {
		k := i
		if indexes != nil {
			k = indexes[i]
		}
		x, _ := r.At(a, i)
		y, _ := r.At(b, k)
		if !r.equal(x, y, items, depth) {
			r.firstDifference = append(r.firstDifference, Step{Index: i})
			return false
		}
	}
	return true
}

func (r *Reader) equalMaps(a, b View, by Equality, depth int) bool {
	if a.mode == typed && b.mode == typed && a.raw == b.raw {
		if t := a.raw.(*Type); t.form == aStruct {
			return r.equalStructs(t, a, b, by, depth)
		}
	}
	if !r.equalEntries(a, b, by, depth) {
		r.firstDifference = r.firstDifference[:0]
		return false
	}
	return true
}

// equalEntries compares the entries of two maps. Most unequal maps have different keys, so keys are
// compared first.
func (r *Reader) equalEntries(a, b View, by Equality, depth int) bool {
	more := r.Len(a) != r.Len(b)
	if more && !r.hasEntriesOf(a, b, by) {
		return false
	}
	both := 0
	for name, x := range r.all(a) {
		y, ok := r.Field(b, name)
		if ok {
			both++
		}
		if !r.equalFields(name, x, y, true, ok, by, depth) {
			return false
		}
	}
	return more || both == r.Len(b) || r.hasEntriesOf(a, b, by)
}

// hasEntriesOf reports whether each entry of b that is not missing is in a.
func (r *Reader) hasEntriesOf(a, b View, by Equality) bool {
	if by == nil {
		return false
	}
	for name, y := range r.all(b) {
		if _, ok := r.Field(a, name); !ok && !by.Missing(r, name, y) {
			return false
		}
	}
	return true
}

// all returns the entries of a map. Those of JSON data have no order.
func (r *Reader) all(v View) iter.Seq2[string, View] {
	return func(yield func(string, View) bool) {
		if v.mode != typed {
			for name, x := range v.raw.(map[string]any) {
				if !yield(name, OfJSON(x).as(v.mode)) {
					return
				}
			}
			return
		}
		for _, e := range r.Entries(v) {
			if !yield(e.Key, e.Value) {
				return
			}
		}
	}
}

// equalFields compares two entries, one of which may be absent. An entry that counts as missing equals
// an absent one.
func (r *Reader) equalFields(name string, a, b View, hasA, hasB bool, by Equality, depth int) bool {
	if hasA && hasB {
		if r.equalEntry(name, a, b, by, depth) {
			return true
		}
		if by == nil || !by.Missing(r, name, a) || !by.Missing(r, name, b) {
			return false
		}
		r.firstDifference = r.firstDifference[:0]
		return true
	}
	return hasA == hasB || by != nil && (!hasA || by.Missing(r, name, a)) && (!hasB || by.Missing(r, name, b))
}

func (r *Reader) equalEntry(name string, a, b View, by Equality, depth int) bool {
	if by == nil {
		return r.equal(a, b, nil, depth)
	}
	part, ok := by.Entry(name)
	return ok && r.equal(a, b, part, depth)
}

// equalStructs compares two structs of one Go type field by field, without looking up names.
func (r *Reader) equalStructs(t *Type, a, b View, by Equality, depth int) bool {
	for i := range t.fields {
		x, hasX := a.FieldAt(i)
		y, hasY := b.FieldAt(i)
		if (hasX || hasY) && !r.equalFields(t.names[i], x, y, hasX, hasY, by, depth) {
			r.firstDifference = append(r.firstDifference, Step{Name: t.names[i]})
			return false
		}
	}
	return true
}
