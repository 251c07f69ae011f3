package cel

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Equal implements ref.Val. The order of items counts only in an atomic list.
func (l *list) Equal(other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if types.Int(l.n) != o.Size() {
		return types.False
	}
	if l.s.ListType == Atomic {
		for i := range l.n {
			if eq := l.at(i).Equal(o.Get(types.Int(i))); eq != types.True {
				return eq
			}
		}
		return types.True
	}
	positions := l.positions()
	for it := o.Iterator(); it.HasNext() == types.True; {
		item := it.Next()
		at, ok := positions[l.identity(item)]
		if !ok || l.strange(item) {
			return types.False
		}
		if l.s.ListType == Set {
			continue
		}
		if eq := l.at(at).Equal(item); eq != types.True {
			return eq
		}
	}
	return types.True
}

// Add implements traits.Adder. In a set, members that are there already are not
// added; in a list by keys, an item replaces the last one with its keys, and of
// items that are new each is added, whatever their keys.
func (l *list) Add(other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	items, unmatched := l.all(), map[int]bool{}
	var positions map[string]int
	if l.s.ListType != Atomic {
		positions = l.positions()
		for i := range items {
			unmatched[i] = l.matchless(i)
			if l.s.ListType == MapByKeys {
				positions[l.identity(items[i])] = i
			}
		}
	}
	for it := o.Iterator(); it.HasNext() == types.True; {
		item := it.Next()
		if l.s.ListType == Atomic {
			items = append(items, item)
			continue
		}
		id := l.identity(item)
		at, there := positions[id]
		switch {
		case !there || l.strange(item):
			if l.s.ListType == Set {
				positions[id] = len(items)
			}
			items = append(items, item)
		case l.s.ListType == MapByKeys:
			items[at] = item
		}
	}
	return &list{r: l.r, s: l.s, n: len(items), items: items, unmatched: unmatched}
}

// strange says that an item is not what its list holds: it equals nothing then,
// not even itself.
func (l *list) strange(item ref.Val) bool {
	if l.s.ListType == Set {
		return types.IsError(item)
	}
	_, ok := item.(traits.Mapper)
	return !ok
}

// positions are the indices of the items by what identifies them. The first of
// several counts.
func (l *list) positions() map[string]int {
	positions := make(map[string]int, l.n)
	for i := range l.n {
		if l.matchless(i) {
			continue
		}
		id := l.identity(l.at(i))
		if _, there := positions[id]; !there {
			positions[id] = i
		}
	}
	return positions
}

// matchless says that nothing matches a member of a set. The API server looks for
// CEL's values among the data, so that it finds no number that is written as an
// integer, and no date or duration.
func (l *list) matchless(i int) bool {
	if l.s.ListType != Set {
		return false
	}
	if l.items != nil {
		return l.unmatched[i]
	}
	switch l.s.Elem.Kind {
	case Date, DateTime, Duration:
		return true
	case Double:
		v, _ := l.r.At(l.v, i)
		return v.Kind() == view.Int
	}
	return false
}

// identity is what identifies an item in its list: itself in a set, its keys in a
// list by keys. Keys are taken as they are in the data, whatever the schema says
// they are, so that data of the wrong type still has an identity.
func (l *list) identity(item ref.Val) string {
	if l.s.ListType == Set {
		return scalarText(item)
	}
	var id strings.Builder
	for _, key := range l.s.Keys {
		switch m := item.(type) {
		case *mapping:
			if v, found := m.r.Field(m.v, key); found {
				id.WriteString(dataText(v))
			}
		case traits.Mapper:
			if v, found := m.Find(types.String(key)); found {
				id.WriteString(scalarText(v))
			}
		default:
			return scalarText(item)
		}
		id.WriteByte(';')
	}
	return id.String()
}

// scalarText writes a scalar such that different scalars have different texts.
// Members of sets and keys of lists are scalars.
func scalarText(v ref.Val) string {
	switch s := v.(type) {
	case types.String:
		return fmt.Sprintf("%q", string(s))
	case types.Bytes:
		return fmt.Sprintf("b%q", string(s))
	case types.Int:
		return fmt.Sprintf("i%d", int64(s))
	case types.Double:
		return fmt.Sprintf("f%g", float64(s))
	case types.Bool:
		return fmt.Sprintf("%t", bool(s))
	case types.Null:
		return "n"
	}
	return fmt.Sprintf("%s %v", v.Type().TypeName(), v.Value())
}

// dataText is scalarText of data.
func dataText(v view.View) string {
	switch v.Kind() {
	case view.String:
		return fmt.Sprintf("%q", v.Str())
	case view.Int:
		return fmt.Sprintf("i%d", v.Int())
	case view.Float:
		return fmt.Sprintf("f%g", v.Float())
	case view.Bool:
		return fmt.Sprintf("%t", v.Bool())
	case view.Null:
		return "n"
	}
	return fmt.Sprint(v.JSON())
}
