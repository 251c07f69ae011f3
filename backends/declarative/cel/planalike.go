package cel

import (
	"maps"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Updates mostly compare what did not change. That two parts of objects are surely equal
// can be seen without the values that rules see: they are what their schemas say they are,
// and the same, in the same order.

// alike says that two values of a shape are equal to rules. A false means nothing.
func (m *machine) alike(a, b view.View, s *Shape) bool {
	kind := a.Kind()
	if kind != b.Kind() {
		return false
	}
	switch s.Kind {
	case Object:
		return kind == view.Map && m.alikeObjects(a, b, s)
	case Map:
		return kind == view.Map && m.alikeMaps(a, b, s)
	case List:
		return kind == view.List && m.alikeLists(a, b, s)
	case String, Bool, Int, Dyn, Double:
		return loads(kind, s) && view.EqualScalars(a, b)
	}
	return s.Kind == None && s.Opaque && kind != view.Null && m.read.Equal(a, b)
}

func (m *machine) alikeObjects(a, b view.View, s *Shape) bool {
	if t, ok := a.Struct(); ok {
		if other, also := b.Struct(); also && other == t {
			return m.alikeStructs(t, a, b, s)
		}
	}
	found := 0
	for i := range s.Fields {
		f := &s.Fields[i]
		x, ok := m.read.Field(a, f.Name)
		y, also := m.read.Field(b, f.Name)
		if ok != also {
			return false
		}
		if !ok {
			continue
		}
		found++
		if x.Kind() == view.Null && x.Typed() && y.Kind() == view.Null && y.Typed() {
			continue // neither is there
		}
		if !m.alike(x, y, f.Shape) {
			return false
		}
	}
	return m.read.Len(a) == found && m.read.Len(b) == found
}

// alikeStructs is alikeObjects of two values of one Go struct, of whose many fields most
// are mostly not there.
func (m *machine) alikeStructs(t *view.Type, a, b view.View, s *Shape) bool {
	for i := range t.Fields() {
		x, ok := a.FieldAt(i)
		y, also := b.FieldAt(i)
		if ok != also {
			return false
		}
		if !ok || x.Kind() == view.Null && y.Kind() == view.Null {
			continue // neither is there
		}
		f := s.byName[t.FieldName(i)]
		if f == nil || !m.alike(x, y, f.Shape) {
			return false
		}
	}
	return true
}

func (m *machine) alikeMaps(a, b view.View, s *Shape) bool {
	x, texts := a.Texts()
	if y, also := b.Texts(); texts && also && s.Elem.Kind == String {
		return maps.Equal(x, y)
	}
	if s.Elem.Kind == Dyn { // what can be compared so is a text or an integer
		if equal, known := m.read.EqualMaps(a, b); known {
			return equal
		}
	}
	if m.read.Len(a) != m.read.Len(b) {
		return false
	}
	all := m.maps.Of(a)
	for i, key := range all.Keys {
		x := all.Values[i]
		if !s.counts(x) {
			continue
		}
		y, _, ok := m.maps.Field(b, key)
		if !ok || !m.alike(x, y, s.Elem) {
			return false
		}
	}
	return true
}

func (m *machine) alikeLists(a, b view.View, s *Shape) bool {
	n := m.read.Len(a)
	switch {
	case n != m.read.Len(b):
		return false
	case s.ListType == Set && s.Elem.Kind != String && s.Elem.Kind != Int && s.Elem.Kind != Bool:
		return false
	case s.ListType == MapByKeys && !m.distinctKeys(a, n, s):
		return false
	}
	for i := range n {
		x, _ := m.read.At(a, i)
		y, _ := m.read.At(b, i)
		if !m.alike(x, y, s.Elem) {
			return false
		}
	}
	return true
}

// distinctKeys says that no two items of a list by keys have the same keys: of such, only
// the first is compared with all.
func (m *machine) distinctKeys(list view.View, n int, s *Shape) bool {
	const few = 16
	if s.Elem.Kind != Object || (len(s.Keys) != 1 && n > few) {
		return false
	}
	if len(s.Keys) == 1 {
		m.seen.reset(n)
	}
	for i := range n {
		item, _ := m.read.At(list, i)
		if len(s.Keys) == 1 {
			key, ok := m.read.Field(item, s.Keys[0])
			if d := (datum{kind: aText}); !ok || key.Kind() != view.String {
				return false
			} else if d.s = key.Str(); !m.seen.add(&d) {
				return false
			}
			continue
		}
		for k := range i {
			if other, _ := m.read.At(list, k); m.sameKeys(item, other, s.Keys) {
				return false
			}
		}
	}
	return true
}

// sameKeys says that two items may have the same keys.
func (m *machine) sameKeys(a, b view.View, keys []string) bool {
	for _, key := range keys {
		x, ok := m.read.Field(a, key)
		y, also := m.read.Field(b, key)
		if k := x.Kind(); k == view.List || k == view.Map {
			return true // not looked into
		}
		if ok != also || (ok && !view.EqualScalars(x, y)) {
			return false
		}
	}
	return true
}
