package types

import (
	"fmt"
	"reflect"

	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Equality and + are those of k8s.io/apiserver/pkg/cel/common, valuesunstructured.go and valuesreflect.go. A sum is a
// list of values, whose equality and + follow the type of the list on the left.
//
// The keys of a list of the object are looked up in a Go map, which panics on lists and maps. cel-go recovers, and the
// rule ends with an error.

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
		if l.members == nil && l.unhashable == nil {
			l.members, l.unhashable = membersOf(l)
		}
		if l.unhashable != nil {
			return l.unhashable
		}
		return equalSet(l.members, o)
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

func (l *ListValue) equalByKeys(o traits.Lister) ref.Val {
	if l.byKeys == nil {
		l.byKeys = make(map[any]int, l.n)
		for i := range l.n {
			l.byKeys[l.key(l.data(i))] = i
		}
	}
	seen := make(map[any]struct{}, len(l.byKeys))
	for it := o.Iterator(); it.HasNext() == celtypes.True; {
		item := it.Next()
		key := l.key(dataOf(item))
		i, ok := l.byKeys[key]
		if !ok {
			return celtypes.False
		}
		if eq := l.at(i).Equal(item); eq != celtypes.True {
			return eq
		}
		seen[key] = struct{}{}
	}
	return celtypes.Bool(len(seen) == len(l.byKeys))
}

// Add implements traits.Adder.
func (l *ListValue) Add(other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return celtypes.MaybeNoSuchOverloadErr(other)
	}
	items := itemsOf(l)
	switch l.s.ListType {
	case Set:
		return unite(items, o)
	case MapByKeys:
		return merge(items, o, l.s.Keys)
	}
	return celtypes.NewRefValList(celtypes.DefaultTypeAdapter, append(items, itemsOf(o)...))
}

// dataOf returns the data that a value was made of, or else its Go value.
func dataOf(item ref.Val) view.View {
	switch item := item.(type) {
	case *MapValue:
		return item.v
	case *opaque:
		return item.v
	case *ListValue:
		return item.v
	}
	return view.OfJSON(item.Value())
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
		switch v.Kind() {            // all integers have one type, and so have all floats
		case view.Int:
			values[i] = v.Int()
		case view.Float:
			values[i] = v.Float()
		default:
			values[i] = v.JSON()
		}
	}
	return joined(values)
}

func joined(values []any) any {
	switch len(values) {
	case 1:
		return values[0]
	case 2:
		return [2]any(values)
	case 3:
		return [3]any(values)
	}
	return fmt.Sprintf("%#v", values)
}

// setSum is a sum of a set. It only got members that it did not have.
type setSum struct{ traits.Lister }

// Equal implements ref.Val.
func (s *setSum) Equal(other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return celtypes.MaybeNoSuchOverloadErr(other)
	}
	if s.Size() != o.Size() {
		return celtypes.False
	}
	members, err := membersOf(s)
	if err != nil {
		return err
	}
	return equalSet(members, o)
}

// Add implements traits.Adder.
func (s *setSum) Add(other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return celtypes.MaybeNoSuchOverloadErr(other)
	}
	return unite(itemsOf(s), o)
}

// keyedSum is a sum of a list of type map: an item replaced the last item with the same keys.
type keyedSum struct {
	traits.Lister
	keys []string
}

// Equal implements ref.Val.
func (s *keyedSum) Equal(other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return celtypes.MaybeNoSuchOverloadErr(other)
	}
	if s.Size() != o.Size() {
		return celtypes.False
	}
	items := map[any]ref.Val{}
	for _, item := range itemsOf(s) {
		items[keyOf(item, s.keys)] = item
	}
	seen := map[any]struct{}{}
	for it := o.Iterator(); it.HasNext() == celtypes.True; {
		item := it.Next()
		key := keyOf(item, s.keys)
		own, ok := items[key]
		if !ok {
			return celtypes.False
		}
		if eq := own.Equal(item); eq != celtypes.True {
			return eq
		}
		seen[key] = struct{}{}
	}
	return celtypes.Bool(len(seen) == len(items))
}

// Add implements traits.Adder.
func (s *keyedSum) Add(other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return celtypes.MaybeNoSuchOverloadErr(other)
	}
	return merge(itemsOf(s), o, s.keys)
}

func itemsOf(l traits.Lister) []ref.Val {
	var items []ref.Val
	for it := l.Iterator(); it.HasNext() == celtypes.True; {
		items = append(items, it.Next())
	}
	return items
}

func unite(items []ref.Val, o traits.Lister) ref.Val {
	set := make(map[any]struct{}, len(items))
	for _, item := range items {
		m, err := member(item)
		if err != nil {
			return err
		}
		set[m] = struct{}{}
	}
	for it := o.Iterator(); it.HasNext() == celtypes.True; {
		item := it.Next()
		m, err := member(item)
		if err != nil {
			return err
		}
		if _, ok := set[m]; !ok {
			set[m] = struct{}{}
			items = append(items, item)
		}
	}
	return &setSum{celtypes.NewRefValList(celtypes.DefaultTypeAdapter, items)}
}

func merge(items []ref.Val, o traits.Lister, keys []string) ref.Val {
	positions := make(map[any]int, len(items))
	for i, item := range items {
		positions[keyOf(item, keys)] = i
	}
	for it := o.Iterator(); it.HasNext() == celtypes.True; {
		item := it.Next()
		if i, ok := positions[keyOf(item, keys)]; ok {
			items[i] = item
		} else {
			items = append(items, item)
		}
	}
	return &keyedSum{celtypes.NewRefValList(celtypes.DefaultTypeAdapter, items), keys}
}

// keyOf returns the key of a value in a sum of a list of type map; what has no keys has the key of nulls.
func keyOf(item ref.Val, keys []string) any {
	values := make([]any, len(keys))
	for i, key := range keys {
		values[i] = keyValue(item, key)
	}
	return joined(values)
}

func keyValue(item ref.Val, key string) any {
	m, ok := item.(traits.Mapper)
	if !ok {
		return nil
	}
	v, found := m.Find(celtypes.String(key))
	if !found || v == nil || celtypes.IsUnknownOrError(v) {
		return nil
	}
	return asKey(v.Value())
}

// equalSet reports whether a list of the same length has the members of a set.
func equalSet(members map[any]struct{}, o traits.Lister) ref.Val {
	seen := make(map[any]struct{}, len(members))
	for it := o.Iterator(); it.HasNext() == celtypes.True; {
		m, err := member(it.Next())
		if err != nil {
			return err
		}
		if _, ok := members[m]; !ok {
			return celtypes.False
		}
		seen[m] = struct{}{}
	}
	return celtypes.Bool(len(seen) == len(members))
}

func membersOf(l traits.Lister) (map[any]struct{}, ref.Val) {
	members := map[any]struct{}{}
	for it := l.Iterator(); it.HasNext() == celtypes.True; {
		m, err := member(it.Next())
		if err != nil {
			return nil, err
		}
		members[m] = struct{}{}
	}
	return members, nil
}

// member returns the key of an item of a set in a Go map.
func member(item ref.Val) (any, ref.Val) {
	switch item.(type) {
	case traits.Lister, traits.Mapper:
		return nil, celtypes.NewErr("listSet operations are only supported on lists of scalar values")
	}
	return asKey(item.Value()), nil
}

// asKey returns a Go value, or a text of one that Go cannot compare.
func asKey(v any) any {
	if v != nil && !reflect.TypeOf(v).Comparable() {
		return fmt.Sprintf("%#v", v)
	}
	return v
}
