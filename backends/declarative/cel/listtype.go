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
	items, positions := l.all(), map[string]int{}
	var texts []string
	if l.s.ListType != Atomic {
		positions = l.positions()
	}
	if l.s.ListType == Set {
		texts = make([]string, l.n)
		for i := range texts {
			texts[i] = l.own(i)
		}
	}
	for it := o.Iterator(); it.HasNext() == types.True; {
		item := it.Next()
		if l.s.ListType == Atomic {
			items = append(items, l.adapted(item))
			continue
		}
		id := l.identity(item)
		at, there := positions[id]
		switch {
		case !there || l.strange(item):
			if l.s.ListType == Set {
				positions[id] = len(items)
				texts = append(texts, id)
			}
			items = append(items, l.adapted(item))
		case l.s.ListType == MapByKeys:
			items[at] = l.adapted(item)
		}
	}
	return &list{r: l.r, s: l.s, n: len(items), items: items, texts: texts}
}

// adapted is an item that is added to a list as the list's schema describes it. It may
// come from a list that no schema describes: a literal, or what an optional oldSelf
// holds. What is no JSON, such as a date, stays as it is.
func (l *list) adapted(item ref.Val) ref.Val {
	switch item.(type) {
	case *mapping, *list, *opaque:
		return item
	}
	switch data := item.Value().(type) {
	case map[string]any, []any, string, int64, float64, bool:
		return Value(l.r, view.OfJSON(data), l.s.Elem)
	}
	return item
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

// positions are the indices of the items by what identifies them. The last of
// several counts. A set keeps them.
func (l *list) positions() map[string]int {
	if l.members != nil {
		return l.members
	}
	positions := make(map[string]int, l.n)
	for i := range l.n {
		positions[l.own(i)] = i
	}
	if l.s.ListType == Set {
		l.members = positions
	}
	return positions
}

// own is what identifies an item of the list itself. The API server knows members of
// a set by the data, and looks for CEL's values among them: so that it finds no number
// that is written as an integer, no date or duration, and no null.
func (l *list) own(i int) string {
	switch {
	case l.s.ListType == MapByKeys:
		return l.identity(l.at(i))
	case l.items != nil:
		return l.texts[i]
	}
	v, _ := l.r.At(l.v, i)
	return dataText(v)
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
			v, _ := m.r.Field(m.v, key) // null where there is none
			id.WriteString(dataText(v))
		case traits.Mapper:
			if v, found := m.Find(types.String(key)); found && v != types.NullValue {
				id.WriteString(scalarText(v))
			} else {
				id.WriteString(nullText)
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
	}
	return fmt.Sprintf("%s %v", v.Type().TypeName(), v.Value())
}

// nullText is the text of null in data, which no value of CEL has.
const nullText = "n"

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
		return nullText
	case view.List:
		return fmt.Sprintf("%s %v", types.ListType.TypeName(), v.JSON())
	}
	return fmt.Sprintf("%s %v", types.MapType.TypeName(), v.JSON())
}
