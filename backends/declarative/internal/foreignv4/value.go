// Package foreignv4 is for tests: a value of structured-merge-diff v4 that is
// neither of its own implementations and can only be read through its interfaces.
package foreignv4

import "sigs.k8s.io/structured-merge-diff/v4/value"

// Value hides how a value and all values inside it are stored.
type Value struct{ value.Value }

func (v Value) AsMap() value.Map   { return mapping{v.Value.AsMap()} }
func (v Value) AsList() value.List { return list{v.Value.AsList()} }

type mapping struct{ value.Map }

func (m mapping) Get(key string) (value.Value, bool) {
	v, ok := m.Map.Get(key)
	if !ok {
		return nil, false
	}
	return Value{v}, true
}

func (m mapping) Iterate(fn func(string, value.Value) bool) bool {
	return m.Map.Iterate(func(key string, v value.Value) bool { return fn(key, Value{v}) })
}

type list struct{ value.List }

func (l list) At(i int) value.Value   { return Value{l.List.At(i)} }
func (l list) Range() value.ListRange { return items{l.List.Range()} }

type items struct{ value.ListRange }

func (r items) Item() (int, value.Value) {
	i, v := r.ListRange.Item()
	return i, Value{v}
}
