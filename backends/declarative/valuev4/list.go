package valuev4

import (
	value4 "sigs.k8s.io/structured-merge-diff/v4/value"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// wrappedList shows a list of v4.
type wrappedList struct{ value4.List }

func (l wrappedList) At(i int) value.Value                         { return Of(l.List.At(i)) }
func (l wrappedList) AtUsing(_ value.Allocator, i int) value.Value { return l.At(i) }
func (l wrappedList) Range() value.ListRange                       { return wrappedRange{l.List.Range()} }
func (l wrappedList) RangeUsing(value.Allocator) value.ListRange   { return l.Range() }
func (l wrappedList) Equals(other value.List) bool                 { return value.ListEquals(l, other) }
func (l wrappedList) EqualsUsing(a value.Allocator, other value.List) bool {
	return value.ListEqualsUsing(a, l, other)
}

// wrappedRange shows one iteration over a list of v4.
type wrappedRange struct{ value4.ListRange }

func (r wrappedRange) Item() (int, value.Value) {
	i, v := r.ListRange.Item()
	return i, Of(v)
}
