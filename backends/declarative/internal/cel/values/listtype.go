package values

import (
	"fmt"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/decl"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Equality and + are those of k8s.io/apiserver/pkg/cel/common, valuesunstructured.go:
//
// A list that was added to holds what Value gives of each item, and reads it as if it was
// JSON. So null, times, durations, bytes and what is of the wrong type cannot be read there.
//
// Members and keys are looked up in a Go map, which panics on lists, maps and bytes. cel-go
// recovers, and the rule ends with an error. What was looked up until then is kept.
//
// Upstream appends to a list in place, so two sums of one list may share memory if the
// decoder left room behind it. That is not copied: each sum here has its own.

// Equal implements ref.Val. The order of items counts only in an atomic list.
func (l *List) Equal(other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if types.Int(l.n) != o.Size() {
		return types.False
	}
	switch l.s.ListType {
	case decl.Set:
		return l.equalSet(o)
	case decl.MapByKeys:
		return l.equalByKeys(o)
	}
	for i := range l.n {
		if eq := l.at(i).Equal(o.Get(types.Int(i))); eq != types.True {
			return eq
		}
	}
	return types.True
}

func (l *List) equalSet(o traits.Lister) ref.Val {
	set := l.set()
	for it := o.Iterator(); it.HasNext() == types.True; {
		if _, ok := set[member(added(it.Next()))]; !ok {
			return types.False
		}
	}
	return types.True
}

func (l *List) equalByKeys(o traits.Lister) ref.Val {
	if l.byKeys == nil {
		l.byKeys = make(map[any]int, l.n)
		for i := range l.n {
			l.byKeys[l.key(l.data(i))] = i
		}
	}
	for it := o.Iterator(); it.HasNext() == types.True; {
		item := it.Next()
		i, ok := l.byKeys[l.key(added(item))]
		if !ok {
			return types.False
		}
		if eq := l.at(i).Equal(item); eq != types.True {
			return eq
		}
	}
	return types.True
}

// Add implements traits.Adder. In a set, members that are there already are not
// added; in a list by keys, an item replaces the last one with its keys, and of
// items that are new each is added, whatever their keys.
func (l *List) Add(other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	items := make([]view.View, l.n)
	for i := range items {
		items[i] = l.data(i)
	}
	switch l.s.ListType {
	case decl.Set:
		items = l.unite(items, o)
	case decl.MapByKeys:
		items = l.merge(items, o)
	default:
		for it := o.Iterator(); it.HasNext() == types.True; {
			items = append(items, added(it.Next()))
		}
	}
	return &List{r: l.r, s: l.s, n: len(items), items: items}
}

func (l *List) unite(items []view.View, o traits.Lister) []view.View {
	set := l.set()
	for it := o.Iterator(); it.HasNext() == types.True; {
		v := added(it.Next())
		m := member(v)
		if _, ok := set[m]; !ok {
			set[m] = struct{}{}
			items = append(items, v)
		}
	}
	return items
}

func (l *List) merge(items []view.View, o traits.Lister) []view.View {
	positions := map[any]int{}
	for i, v := range items {
		positions[l.key(v)] = i
	}
	for it := o.Iterator(); it.HasNext() == types.True; {
		v := added(it.Next())
		if i, ok := positions[l.key(v)]; ok {
			items[i] = v
		} else {
			items = append(items, v)
		}
	}
	return items
}

// added is what a list keeps of an item that is added to it: the data that it was made of,
// or else Go's value of it.
func added(item ref.Val) view.View {
	switch item := item.(type) {
	case *Map:
		return item.v
	case *opaque:
		return item.v
	case *List:
		if item.items == nil {
			return item.v
		}
	}
	return view.OfJSON(item.Value())
}

// set are the members of a set, which keeps them.
func (l *List) set() map[any]struct{} {
	if l.members == nil {
		l.members = make(map[any]struct{}, l.n)
		for i := range l.n {
			l.members[member(l.data(i))] = struct{}{}
		}
	}
	return l.members
}

// member is the key of an item in a Go map. Integers and floats of all sizes are one type.
func member(v view.View) any {
	switch v.Kind() {
	case view.Int:
		return v.Int()
	case view.Float:
		return v.Float()
	}
	return v.JSON()
}

// key is what identifies an item in a list by keys: their values, as they are in the data.
// What is no map equals nothing, not even itself. More than three keys are written as text.
func (l *List) key(item view.View) any {
	if item.Kind() != view.Map {
		return types.NewErr("an item of a list by keys is no object")
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
