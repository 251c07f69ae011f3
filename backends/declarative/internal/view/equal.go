package view

// Equality is how values of one schema are compared, where that is not as they are.
type Equality interface {
	// Compares says that a value may be compared. Any other equals nothing.
	Compares(v View) bool
	// Entry is the Equality of an entry of a map; nil: it is compared as it is. It is false
	// where a map that has the entry equals nothing.
	Entry(name string) (Equality, bool)
	// Pairs says with which item of b each item of a is compared, and how; nil: with the one
	// at its place. The lists have as many items. It is false where they are not equal.
	Pairs(r *Reader, a, b View) (indexes []int, items Equality, ok bool)
}

// deepest bounds how deep values are compared, in levels: encoding/json decodes no deeper
// ones, and a Go object may contain itself. Deeper values are not equal.
const deepest = 10_000

// Equal compares two values deeply. As in Kubernetes' comparison of unstructured objects an
// integer never equals a float, even where both are written 1.
func (r *Reader) Equal(a, b View) bool { return r.equal(a, b, nil, 0) }

// EqualBy compares two values deeply, as an Equality says.
func (r *Reader) EqualBy(a, b View, by Equality) bool { return r.equal(a, b, by, 0) }

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
	for _, name := range r.Keys(a) {
		x, _ := r.Field(a, name)
		y, ok := r.Field(b, name)
		if !ok || !r.equalEntries(name, x, y, by, depth) {
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

// equalStructs compares two structs of one Go type field by field. That JSON leaves out a
// field in both is found out without its name.
func (r *Reader) equalStructs(t *Type, a, b View, by Equality, depth int) bool {
	for i := range t.fields {
		x, ok := a.FieldAt(i)
		y, okOther := b.FieldAt(i)
		if ok != okOther || ok && !r.equalEntries(t.names[i], x, y, by, depth) {
			return false
		}
	}
	return true
}
