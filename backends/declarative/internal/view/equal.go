package view

// Equality says how the values of one schema are compared, if not simply by what they hold.
type Equality interface {
	// Compares reports whether a value may be equal to another one at all.
	Compares(v View) bool
	// Entry returns the Equality of an entry of a map; nil compares it simply. It is false if
	// a map with the entry equals nothing.
	Entry(name string) (Equality, bool)
	// Pairs returns, for each item of a, the index of the item of b to compare with, and the
	// Equality of items. Nil indexes compare by position. Both lists have the same length. It
	// is false if they are not equal.
	Pairs(r *Reader, a, b View) (indexes []int, items Equality, ok bool)
}

// deepest bounds the depth of a comparison: a Go object may contain itself. encoding/json
// decodes no deeper values. Deeper values are not equal.
const deepest = 10_000

// Equal compares two values deeply. An integer never equals a float, even if both are written 1,
// as in Kubernetes' comparison of unstructured objects.
func (r *Reader) Equal(a, b View) bool { return r.EqualBy(a, b, nil) }

// EqualBy compares two values deeply, as an Equality says.
func (r *Reader) EqualBy(a, b View, by Equality) bool {
	r.apart = r.apart[:0]
	return r.equal(a, b, by, 0)
}

// Apart is the way to the first difference that the last comparison found, the last step first. It ends at
// a map that is no struct: entries have no order. Items are compared in order, fields in that of their
// names.
func (r *Reader) Apart() []Step { return r.apart }

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
			r.apart = append(r.apart, Step{Index: i})
			return false
		}
	}
	return true
}

func (r *Reader) equalMaps(a, b View, by Equality, depth int) bool {
	if a.mode != typed && b.mode != typed {
		x, y := a.raw.(map[string]any), b.raw.(map[string]any)
		for name, entry := range x {
			other, ok := y[name]
			if !ok || len(x) != len(y) || !r.equalEntries(name, OfJSON(entry).as(a.mode), OfJSON(other).as(b.mode), by, depth) {
				r.apart = r.apart[:0]
				return false
			}
		}
		return len(x) == len(y)
	}
	if a.mode == typed && b.mode == typed && a.raw == b.raw {
		if t := a.raw.(*Type); t.form == aStruct {
			return r.equalStructs(t, a, b, by, depth)
		}
	}
	if r.Len(a) != r.Len(b) {
		return false
	}
	for _, e := range r.Entries(a) {
		other, ok := r.Field(b, e.Key)
		if !ok || !r.equalEntries(e.Key, e.Value, other, by, depth) {
			r.apart = r.apart[:0]
			return false
		}
	}
	return true
}

func (r *Reader) equalEntries(name string, a, b View, by Equality, depth int) bool {
	if by == nil {
		return r.equal(a, b, nil, depth)
	}
	part, ok := by.Entry(name)
	return ok && r.equal(a, b, part, depth)
}

// equalStructs compares two structs of one Go type field by field, without looking up names.
func (r *Reader) equalStructs(t *Type, a, b View, by Equality, depth int) bool {
	for i := range t.fields {
		x, ok := a.FieldAt(i)
		y, okOther := b.FieldAt(i)
		if ok != okOther || ok && !r.equalEntries(t.names[i], x, y, by, depth) {
			r.apart = append(r.apart, Step{Name: t.names[i]})
			return false
		}
	}
	return true
}
