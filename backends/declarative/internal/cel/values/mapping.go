package values

import (
	"fmt"
	"reflect"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/decl"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Map is an object with declared fields, or a map.
type Map struct {
	r *view.Reader
	v view.View
	s *decl.Type
}

var _ traits.Mapper = (*Map)(nil)

// Data is what the map was made of.
func (m *Map) Data() (view.View, *decl.Type) { return m.v, m.s }

// Find implements traits.Mapper. The fields of an object are named by their CEL
// identifiers, the keys of a map by themselves. A field that is null is not set,
// and so is one whose zero value the schema strips.
func (m *Map) Find(key ref.Val) (ref.Val, bool) {
	name, ok := key.(types.String)
	if !ok {
		return types.MaybeNoSuchOverloadErr(key), true
	}
	if m.s.Kind == decl.Map {
		v, ok := m.s.ValueOf(m.r, m.v, string(name))
		if !ok {
			return nil, false
		}
		return Of(m.r, v, m.s.Elem), true
	}
	f := m.s.Lookup(string(name))
	if f == nil {
		return nil, false
	}
	v, ok := f.In(m.r, m.v)
	if !ok {
		return nil, false
	}
	return Of(m.r, v, f.Type), true
}

// present says whether a key counts, be it declared or not.
func (m *Map) present(key string) bool {
	if m.s.Kind == decl.Map {
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

// null says that a field of JSON data is an explicit null, which the API server
// counts in the size of an object although the field is not set.
func (m *Map) null(key string) bool {
	v, ok := m.r.Field(m.v, key)
	return ok && v.Kind() == view.Null && !v.Typed() && !m.s.Property(key).StripsZero
}

// Contains implements traits.Container.
func (m *Map) Contains(key ref.Val) ref.Val {
	v, found := m.Find(key)
	if v != nil && types.IsUnknownOrError(v) {
		return v
	}
	return types.Bool(found)
}

// Get implements traits.Indexer.
func (m *Map) Get(key ref.Val) ref.Val {
	if v, found := m.Find(key); found {
		return v
	}
	return types.ValOrErr(key, "no such key: %v", key)
}

// Size implements traits.Sizer.
func (m *Map) Size() ref.Val {
	if m.s.Kind == decl.Map && !m.v.Typed() {
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
func (m *Map) Iterator() traits.Iterator {
	var keys []ref.Val
	for _, key := range m.r.Keys(m.v) {
		ident := key
		if m.s.Kind == decl.Object {
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
		keys = append(keys, types.String(ident))
	}
	return types.NewRefValList(types.DefaultTypeAdapter, keys).Iterator()
}

// Equal implements ref.Val. What the schema does not declare is compared as data.
func (m *Map) Equal(other ref.Val) ref.Val {
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
		if m.s.Kind == decl.Object && m.s.Property(key) == nil {
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
func (m *Map) equalUndeclared(key string, other ref.Val) ref.Val {
	o, ok := other.(*Map)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	v, _ := m.r.Field(m.v, key)
	ov, found := o.r.Field(o.v, key)
	return types.Bool(!found || m.r.Equal(v, ov))
}

// Type implements ref.Val.
func (m *Map) Type() ref.Type { return types.MapType }

// Value implements ref.Val.
func (m *Map) Value() any { return m.v.JSON() }

// ConvertToNative implements ref.Val.
func (m *Map) ConvertToNative(t reflect.Type) (any, error) {
	if t.Kind() == reflect.Map {
		return m.v.JSON(), nil
	}
	return nil, fmt.Errorf("type conversion error from '%s' to '%s'", m.Type(), t)
}

// ConvertToType implements ref.Val.
func (m *Map) ConvertToType(t ref.Type) ref.Val { return convert(m, types.MapType, t) }

// convert converts a value to its own type, or to a value that is its type.
func convert(v ref.Val, own *types.Type, to ref.Type) ref.Val {
	switch to {
	case own:
		return v
	case types.TypeType:
		return own
	}
	return types.NewErr("type conversion error from '%s' to '%s'", own, to.TypeName())
}
