package valuev4

import (
	"slices"

	value4 "sigs.k8s.io/structured-merge-diff/v4/value"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// wrappedMap shows a map of v4.
type wrappedMap struct{ value4.Map }

func (m wrappedMap) Get(key string) (value.Value, bool) {
	v, ok := m.Map.Get(key)
	return Of(v), ok
}

func (m wrappedMap) GetUsing(_ value.Allocator, key string) (value.Value, bool) { return m.Get(key) }

func (m wrappedMap) Set(key string, v value.Value) {
	m.Map.Set(key, value4.NewValueInterface(v.Unstructured()))
}

func (m wrappedMap) Iterate(fn func(key string, v value.Value) bool) bool {
	return m.Map.Iterate(func(key string, v value4.Value) bool { return fn(key, Of(v)) })
}

func (m wrappedMap) IterateUsing(_ value.Allocator, fn func(key string, v value.Value) bool) bool {
	return m.Iterate(fn)
}

func (m wrappedMap) Equals(other value.Map) bool { return value.MapEquals(m, other) }

func (m wrappedMap) EqualsUsing(a value.Allocator, other value.Map) bool {
	return value.MapEqualsUsing(a, m, other)
}

func (m wrappedMap) Zip(other value.Map, order value.MapTraverseOrder, fn func(key string, lhs, rhs value.Value) bool) bool {
	return m.ZipUsing(value.HeapAllocator, other, order, fn)
}

// ZipUsing visits the keys of both maps in lexical order, whatever the order
// asked for: Unordered allows every order.
func (m wrappedMap) ZipUsing(a value.Allocator, other value.Map, _ value.MapTraverseOrder, fn func(key string, lhs, rhs value.Value) bool) bool {
	keys := make([]string, 0, m.Length())
	add := func(key string, _ value.Value) bool {
		keys = append(keys, key)
		return true
	}
	m.Iterate(add)
	if other != nil {
		other.IterateUsing(a, add)
	}
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		lhs, _ := m.Get(key)
		var rhs value.Value
		if other != nil {
			rhs, _ = other.GetUsing(a, key)
		}
		if !fn(key, lhs, rhs) {
			return false
		}
	}
	return true
}
