package types

import "github.com/diffrun/diffrun/backends/declarative/internal/view"

// Rules on updates mostly compare values that did not change. If two values have the same parts in
// the same order, and these match their schemas, rules see them as equal. Type implements
// view.Equality to find such values. A result of false proves nothing. This halves the time of updates
// of large Pods.

// Compares reports whether rules see a value. A nil in a Go object is not a value.
func (s *Type) Compares(v view.View) bool {
	switch {
	case v.Kind() == view.Null:
		return v.Typed()
	case s.Kind == None:
		return s.Opaque
	}
	return LoadsKind(v.Kind(), s)
}

// Entry implements view.Equality. Rules see only declared fields.
func (s *Type) Entry(name string) (view.Equality, bool) {
	switch s.Kind {
	case None:
		return nil, true
	case Map:
		return s.Elem, true
	}
	if f := s.byName[name]; f != nil {
		return f.Type, true
	}
	return nil, false
}

// Missing implements view.Equality. A stripped zero is invisible to rules, so this is left to them.
func (s *Type) Missing(*view.Reader, string, view.View) bool { return false }

// Pairs implements view.Equality. Rules compare sets of scalars, and lists with distinct keys, in
// any order, so equal items in the same order are enough.
func (s *Type) Pairs(r *view.Reader, list, _ view.View) ([]int, view.Equality, bool) {
	if s.Kind == None {
		return nil, nil, true
	}
	size := r.Len(list)
	for i := range size {
		if item, _ := r.At(list, i); item.Kind() == view.Null {
			return nil, nil, false
		}
	}
	switch s.ListType {
	case Set:
		if s.Elem.Kind != String && s.Elem.Kind != Int && s.Elem.Kind != Bool {
			return nil, nil, false
		}
	case MapByKeys:
		byKey := make(map[view.Key]int, size)
		if r.ByKey(list, s.Keys, byKey); len(byKey) < size {
			return nil, nil, false
		}
	}
	return nil, s.Elem, true
}

// Loads reports whether a value matches the type as it is, as LoadsKind does. A nil slice or map of a
// Go object matches a list or a map.
func Loads(v view.View, s *Type) bool {
	return LoadsKind(v.Kind(), s) || s.Kind != Bytes && s.isNil(v)
}

// LoadsKind reports whether values of a kind match the type as they are. Times, durations and bytes do
// not: they are strings that must be parsed.
func LoadsKind(k view.Kind, s *Type) bool {
	switch s.Kind {
	case Object, Map:
		return k == view.Map
	case List:
		return k == view.List
	case String:
		return k == view.String
	case Dyn:
		return k == view.Int || k == view.String
	case Bool:
		return k == view.Bool
	case Int:
		return k == view.Int
	case Double:
		return k == view.Int || k == view.Float
	}
	return false
}

// Counts reports whether a value is an entry of a map. In a map of a Go object a nil slice or map is an
// empty entry, whose key hand-written code sees: a client sent the key with null. A nil pointer is none.
func (s *Type) Counts(v view.View) bool {
	return v.Kind() != view.Null || !v.Typed() || s.Elem.Nullable || s.Elem.emptyIfNil()
}

// isNil reports whether a value is a nil slice or map of a Go object.
func (s *Type) isNil(v view.View) bool {
	return v.Kind() == view.Null && v.Typed() && !s.Nullable && s.emptyIfNil()
}

// emptyIfNil reports whether the Go type of the values is a slice or a map, of which nil is an empty one.
func (s *Type) emptyIfNil() bool { return s.Kind == Bytes || s.Kind == List || s.Kind == Map }
