package types

import (
	"fmt"

	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Equality and + are those of k8s.io/apiserver/pkg/cel/common, valuesunstructured.go:
//
// A sum of lists stores the Go value of each added item, and reads it as if it were JSON. So null,
// times, durations, bytes and values of the wrong type cannot be read from a sum.
//
// Members and keys are looked up in a Go map, which panics on lists, maps and bytes. cel-go
// recovers, and the rule ends with an error. Entries that were added before the panic are kept.
//
// Upstream appends to a list in place, so two sums of one list may share memory if the decoder
// left spare capacity. This is not reproduced: each sum has its own memory.

// Equal implements ref.Val. Order matters only in atomic lists.
func (l *ListValue) Equal(other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return celtypes.MaybeNoSuchOverloadErr(other)
	}
	if celtypes.Int(l.n) != o.Size() {
		return celtypes.False
	}
	switch l.s.ListType {
	case Set:
		return l.equalSet(o)
	case MapByKeys:
		return l.equalByKeys(o)
	}
	for i := range l.n {
		if eq := l.at(i).Equal(o.Get(celtypes.Int(i))); eq != celtypes.True {
			return eq
		}
	}
	return celtypes.True
}

func (l *ListValue) equalSet(o traits.Lister) ref.Val {
	set := l.set()
	for it := o.Iterator(); it.HasNext() == celtypes.True; {
		if _, ok := set[member(added(it.Next()))]; !ok {
			return celtypes.False
		}
	}
	return celtypes.True
}

func (l *ListValue) equalByKeys(o traits.Lister) ref.Val {
	if l.byKeys == nil {
		l.byKeys = make(map[any]int, l.n)
		for i := range l.n {
			l.byKeys[l.key(l.data(i))] = i
		}
	}
	for it := o.Iterator(); it.HasNext() == celtypes.True; {
		item := it.Next()
		i, ok := l.byKeys[l.key(added(item))]
		if !ok {
			return celtypes.False
		}
		if eq := l.at(i).Equal(item); eq != celtypes.True {
			return eq
		}
	}
	return celtypes.True
}

// Add implements traits.Adder. A set only gets members that it does not have. In a list of type
// map, an item replaces the last item with the same keys; items with new keys are all added, even
// if their keys are equal.
func (l *ListValue) Add(other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return celtypes.MaybeNoSuchOverloadErr(other)
	}
	items := make([]view.View, l.n)
	for i := range items {
		items[i] = l.data(i)
	}
	switch l.s.ListType {
	case Set:
		items = l.unite(items, o)
	case MapByKeys:
		items = l.merge(items, o)
	default:
		for it := o.Iterator(); it.HasNext() == celtypes.True; {
			items = append(items, added(it.Next()))
		}
	}
	return &ListValue{r: l.r, s: l.s, n: len(items), items: items}
}

func (l *ListValue) unite(items []view.View, o traits.Lister) []view.View {
	set := l.set()
	for it := o.Iterator(); it.HasNext() == celtypes.True; {
		v := added(it.Next())
		m := member(v)
		if _, ok := set[m]; !ok {
			set[m] = struct{}{}
			items = append(items, v)
		}
	}
	return items
}

func (l *ListValue) merge(items []view.View, o traits.Lister) []view.View {
	positions := map[any]int{}
	for i, v := range items {
		positions[l.key(v)] = i
	}
	for it := o.Iterator(); it.HasNext() == celtypes.True; {
		v := added(it.Next())
		if i, ok := positions[l.key(v)]; ok {
			items[i] = v
		} else {
			items = append(items, v)
		}
	}
	return items
}

// added returns what a list stores of an added item: the data it was made of, or else its Go
// value.
func added(item ref.Val) view.View {
	switch item := item.(type) {
	case *MapValue:
		return item.v
	case *opaque:
		return item.v
	case *ListValue:
		if item.items == nil {
			return item.v
		}
	}
	return view.OfJSON(item.Value())
}

// set returns the members of a set. They are kept for the next call.
func (l *ListValue) set() map[any]struct{} {
	if l.members == nil {
		l.members = make(map[any]struct{}, l.n)
		for i := range l.n {
			l.members[member(l.data(i))] = struct{}{}
		}
	}
	return l.members
}

// member returns the key of an item in a Go map. All integers have one type, and so have all
// floats.
func member(v view.View) any {
	switch v.Kind() {
	case view.Int:
		return v.Int()
	case view.Float:
		return v.Float()
	}
	return v.JSON()
}

// key returns the key of an item in a list of type map, as it is in the data. An item that is not
// a map equals nothing, not even itself. More than three keys are formatted as text.
func (l *ListValue) key(item view.View) any {
	if item.Kind() != view.Map {
		return celtypes.NewErr("an item of a list by keys is not an object")
	}
	values := make([]any, len(l.s.Keys))
	for i, key := range l.s.Keys {
		v, _ := l.r.Field(item, key) // null where there is none
		values[i] = member(v)
	}
	switch len(values) {
	case 1:
		return values[0]
	case 2:
		return [2]any(values)
	case 3:
		return [3]any(values)
	}
	return fmt.Sprint(values)
}
