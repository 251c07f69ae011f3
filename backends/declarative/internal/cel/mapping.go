package cel

import (
	"fmt"
	"reflect"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// mapping is an object with declared fields, or a map.
type mapping struct {
	r *view.Reader
	v view.View
	s *Shape
}

var _ traits.Mapper = (*mapping)(nil)

// Find implements traits.Mapper. The fields of an object are named by their CEL
// identifiers, the keys of a map by themselves. A field that is null is not set,
// and so is one whose zero value the schema strips.
func (m *mapping) Find(key ref.Val) (ref.Val, bool) {
	name, ok := key.(types.String)
	if !ok {
		return types.MaybeNoSuchOverloadErr(key), true
	}
	if m.s.Kind == Map {
		v, ok := m.entry(string(name))
		if !ok {
			return nil, false
		}
		return Value(m.r, v, m.s.Elem), true
	}
	f := m.s.lookup(string(name))
	if f == nil {
		return nil, false
	}
	v, ok := m.set(f)
	if !ok {
		return nil, false
	}
	return Value(m.r, v, f.Shape), true
}

// set is the value of a field that is set.
func (m *mapping) set(f *Field) (view.View, bool) {
	v, ok := m.r.Field(m.v, f.Name)
	if !ok || v.Kind() == view.Null || (f.StripsZero && m.r.Zero(v)) {
		return view.View{}, false
	}
	return v, true
}

// entry is the value of a key of a map. A nil in a typed map is no entry, unless
// the schema is nullable.
func (m *mapping) entry(key string) (view.View, bool) {
	v, ok := m.r.Field(m.v, key)
	if !ok || (v.Kind() == view.Null && v.Typed() && !m.s.Elem.Nullable) {
		return view.View{}, false
	}
	return v, true
}

// present says whether a key counts, be it declared or not.
func (m *mapping) present(key string) bool {
	if m.s.Kind == Map {
		_, ok := m.entry(key)
		return ok
	}
	if f := m.s.byName[key]; f != nil {
		_, ok := m.set(f)
		return ok || m.null(key)
	}
	v, ok := m.r.Field(m.v, key)
	return ok && !(v.Typed() && v.Kind() == view.Null)
}

// null says that a field of JSON data is an explicit null, which the API server
// counts in the size of an object although the field is not set.
func (m *mapping) null(key string) bool {
	v, ok := m.r.Field(m.v, key)
	return ok && v.Kind() == view.Null && !v.Typed() && !m.s.byName[key].StripsZero
}

// Contains implements traits.Container.
func (m *mapping) Contains(key ref.Val) ref.Val {
	v, found := m.Find(key)
	if v != nil && types.IsUnknownOrError(v) {
		return v
	}
	return types.Bool(found)
}

// Get implements traits.Indexer.
func (m *mapping) Get(key ref.Val) ref.Val {
	if v, found := m.Find(key); found {
		return v
	}
	return types.ValOrErr(key, "no such key: %v", key)
}

// Size implements traits.Sizer.
func (m *mapping) Size() ref.Val {
	if m.s.Kind == Map && !m.v.Typed() {
		return types.Int(m.r.Len(m.v))
	}
	n := 0
	for _, key := range m.r.Keys(m.v) {
		if m.present(key) {
			n++
		}
	}
	return types.Int(n)
}

// Iterator implements traits.Iterable. Keys come sorted, so that a rule costs and
// says the same every time. Entries that the schema does not declare are left out.
func (m *mapping) Iterator() traits.Iterator {
	it := &keyIterator{}
	for _, key := range m.r.Keys(m.v) {
		ident := key
		if m.s.Kind == Object {
			f := m.s.byName[key]
			if f == nil || !m.present(key) {
				continue
			}
			if f.ident != "" {
				ident = f.ident
			}
		} else if !m.present(key) {
			continue
		}
		it.keys = append(it.keys, types.String(ident))
	}
	return it
}

type keyIterator struct {
	baseIterator
	keys []ref.Val
	next int
}

// HasNext implements traits.Iterator.
func (it *keyIterator) HasNext() ref.Val { return types.Bool(it.next < len(it.keys)) }

// Next implements traits.Iterator.
func (it *keyIterator) Next() ref.Val {
	it.next++
	return it.keys[it.next-1]
}

// Equal implements ref.Val. What the schema does not declare is compared as data.
func (m *mapping) Equal(other ref.Val) ref.Val {
	o, ok := other.(traits.Mapper)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if m.Size() != o.Size() {
		return types.False
	}
	for _, key := range m.r.Keys(m.v) {
		if !m.present(key) {
			continue
		}
		if m.s.Kind == Object && m.s.byName[key] == nil {
			if eq := m.equalUndeclared(key, other); eq != types.True {
				return eq
			}
			continue
		}
		// By its plain name, as the API server does: a native value knows no other.
		v, found := m.Find(types.String(key))
		ov, oFound := o.Find(types.String(key))
		if found != oFound {
			return types.False
		}
		if !found {
			continue
		}
		if eq := v.Equal(ov); eq != types.True {
			return eq
		}
	}
	return types.True
}

// equalUndeclared compares an entry that the schema does not declare. As in the
// API server, one that the other object does not have makes no difference unless
// it makes their sizes differ.
func (m *mapping) equalUndeclared(key string, other ref.Val) ref.Val {
	o, ok := other.(*mapping)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	v, _ := m.r.Field(m.v, key)
	ov, found := o.r.Field(o.v, key)
	return types.Bool(!found || m.r.Equal(v, ov))
}

// Type implements ref.Val.
func (m *mapping) Type() ref.Type { return types.MapType }

// Value implements ref.Val.
func (m *mapping) Value() any { return m.v.JSON() }

// ConvertToNative implements ref.Val.
func (m *mapping) ConvertToNative(t reflect.Type) (any, error) {
	if t.Kind() == reflect.Map {
		return m.v.JSON(), nil
	}
	return nil, fmt.Errorf("type conversion error from '%s' to '%s'", m.Type(), t)
}

// ConvertToType implements ref.Val.
func (m *mapping) ConvertToType(t ref.Type) ref.Val {
	switch t {
	case types.MapType:
		return m
	case types.TypeType:
		return types.MapType
	}
	return types.NewErr("type conversion error from '%s' to '%s'", m.Type(), t.TypeName())
}

// baseIterator is what an iterator of CEL must be besides an iterator.
type baseIterator struct{}

// ConvertToNative implements ref.Val.
func (baseIterator) ConvertToNative(t reflect.Type) (any, error) {
	return nil, fmt.Errorf("an iterator cannot be converted to %s", t)
}

// ConvertToType implements ref.Val.
func (baseIterator) ConvertToType(ref.Type) ref.Val {
	return types.NewErr("an iterator cannot be converted")
}

// Equal implements ref.Val.
func (baseIterator) Equal(ref.Val) ref.Val { return types.NewErr("an iterator cannot be compared") }

// Type implements ref.Val.
func (baseIterator) Type() ref.Type { return types.IteratorType }

// Value implements ref.Val.
func (baseIterator) Value() any { return nil }
