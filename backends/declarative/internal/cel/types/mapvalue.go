package types

import (
	"fmt"
	"reflect"

	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// MapValue is an object with declared fields, or a map.
type MapValue struct {
	r *view.Reader
	v view.View
	s *Type
}

var _ traits.Mapper = (*MapValue)(nil)

// Data returns the data of the map and its type.
func (m *MapValue) Data() (view.View, *Type) { return m.v, m.s }

// Find implements traits.Mapper. Fields of an object are found by their CEL identifiers, entries
// of a map by their keys. A field that is null, or whose zero value is stripped, is not set.
func (m *MapValue) Find(key ref.Val) (ref.Val, bool) {
	name, ok := key.(celtypes.String)
	if !ok {
		return celtypes.MaybeNoSuchOverloadErr(key), true
	}
	if m.s.Kind == Map {
		v, ok := m.s.ValueOf(m.r, m.v, string(name))
		if !ok {
			return nil, false
		}
		return ValueOf(m.r, v, m.s.Elem), true
	}
	f := m.s.Lookup(string(name))
	if f == nil {
		return nil, false
	}
	v, ok := f.In(m.r, m.v)
	if !ok {
		return nil, false
	}
	return ValueOf(m.r, v, f.Type), true
}

// present reports whether a key counts, declared or not.
func (m *MapValue) present(key string) bool {
	if m.s.Kind == Map {
		_, ok := m.s.ValueOf(m.r, m.v, key)
		return ok
	}
	if f := m.s.Property(key); f != nil {
		_, ok := f.In(m.r, m.v)
		return ok || m.null(key)
	}
	v, ok := m.r.Field(m.v, key)
	return ok && !(v.Typed() && v.Kind() == view.Null)
}

// null reports whether a field of JSON data is null. The API server counts such a field in the
// size of an object, although it is not set.
func (m *MapValue) null(key string) bool {
	v, ok := m.r.Field(m.v, key)
	return ok && v.Kind() == view.Null && !v.Typed() && !m.s.Property(key).StripsZero
}

// Contains implements traits.Container.
func (m *MapValue) Contains(key ref.Val) ref.Val {
	v, found := m.Find(key)
	if v != nil && celtypes.IsUnknownOrError(v) {
		return v
	}
	return celtypes.Bool(found)
}

// Get implements traits.Indexer.
func (m *MapValue) Get(key ref.Val) ref.Val {
	if v, found := m.Find(key); found {
		return v
	}
	return celtypes.ValOrErr(key, "no such key: %v", key)
}

// Size implements traits.Sizer.
func (m *MapValue) Size() ref.Val {
	if m.s.Kind == Map && !m.v.Typed() {
		return celtypes.Int(m.r.Len(m.v))
	}
	n := 0
	for _, key := range m.r.Keys(m.v) {
		if m.present(key) {
			n++
		}
	}
	return celtypes.Int(n)
}

// Iterator implements traits.Iterable. Keys are sorted, so costs and messages of a rule do not
// vary. Undeclared entries are omitted.
func (m *MapValue) Iterator() traits.Iterator {
	var keys []ref.Val
	for _, key := range m.r.Keys(m.v) {
		ident := key
		if m.s.Kind == Object {
			f := m.s.Property(key)
			if f == nil || !m.present(key) {
				continue
			}
			if f.Ident != "" {
				ident = f.Ident
			}
		} else if !m.present(key) {
			continue
		}
		keys = append(keys, celtypes.String(ident))
	}
	return celtypes.NewRefValList(celtypes.DefaultTypeAdapter, keys).Iterator()
}

// Equal implements ref.Val. Undeclared fields are compared as data.
func (m *MapValue) Equal(other ref.Val) ref.Val {
	o, ok := other.(traits.Mapper)
	if !ok {
		return celtypes.MaybeNoSuchOverloadErr(other)
	}
	if m.Size() != o.Size() {
		return celtypes.False
	}
	for _, key := range m.r.Keys(m.v) {
		if !m.present(key) {
			continue
		}
		if m.s.Kind == Object && m.s.Property(key) == nil {
			if eq := m.equalUndeclared(key, other); eq != celtypes.True {
				return eq
			}
			continue
		}
		// Look up the plain name, as the API server does: native values have no other.
		v, found := m.Find(celtypes.String(key))
		ov, oFound := o.Find(celtypes.String(key))
		if found != oFound {
			return celtypes.False
		}
		if !found {
			continue
		}
		if eq := v.Equal(ov); eq != celtypes.True {
			return eq
		}
	}
	return celtypes.True
}

// equalUndeclared compares an undeclared entry. As in the API server, an entry that the other
// object lacks matters only if it changes the size.
func (m *MapValue) equalUndeclared(key string, other ref.Val) ref.Val {
	o, ok := other.(*MapValue)
	if !ok {
		return celtypes.MaybeNoSuchOverloadErr(other)
	}
	v, _ := m.r.Field(m.v, key)
	ov, found := o.r.Field(o.v, key)
	return celtypes.Bool(!found || m.r.Equal(v, ov))
}

// Type implements ref.Val.
func (m *MapValue) Type() ref.Type { return celtypes.MapType }

// Value implements ref.Val. cel-go makes it of an oldSelf that is an optional.
func (m *MapValue) Value() any { return m.v.Set() }

// ConvertToNative implements ref.Val.
func (m *MapValue) ConvertToNative(t reflect.Type) (any, error) {
	if t.Kind() == reflect.Map {
		return m.v.Set(), nil
	}
	return nil, fmt.Errorf("type conversion error from '%s' to '%s'", m.Type(), t)
}

// ConvertToType implements ref.Val.
func (m *MapValue) ConvertToType(t ref.Type) ref.Val { return convert(m, celtypes.MapType, t) }

// convert converts a value to its own type, or to a value that is its type.
func convert(v ref.Val, own *celtypes.Type, to ref.Type) ref.Val {
	switch to {
	case own:
		return v
	case celtypes.TypeType:
		return own
	}
	return celtypes.NewErr("type conversion error from '%s' to '%s'", own, to.TypeName())
}
