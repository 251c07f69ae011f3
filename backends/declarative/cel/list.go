package cel

import (
	"fmt"
	"reflect"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// list is a list of an object, or what + makes of such lists. Its list type
// decides what equality and + are: a set compares and unites its members, a list
// by keys compares without order and merges by keys.
type list struct {
	r *view.Reader
	s *Shape
	n int

	v     view.View // the list of the object, unless
	items []ref.Val // it was added to

	texts   []string       // of items, in a set: see own
	members map[string]int // of a set, once it was compared or added to: see union.go
}

var _ traits.Lister = (*list)(nil)

func (l *list) at(i int) ref.Val {
	if l.items != nil {
		return l.items[i]
	}
	v, _ := l.r.At(l.v, i)
	return Value(l.r, v, l.s.Elem)
}

// all gives the items as CEL values.
func (l *list) all() []ref.Val {
	items := make([]ref.Val, l.n)
	for i := range items {
		items[i] = l.at(i)
	}
	return items
}

// Get implements traits.Indexer.
func (l *list) Get(index ref.Val) ref.Val {
	i, ok := index.(types.Int)
	if !ok {
		return types.ValOrErr(index, "unsupported index: %v", index)
	}
	if i < 0 || int64(i) >= int64(l.n) {
		return types.NewErr("index out of bounds: %v", index)
	}
	return l.at(int(i))
}

// Size implements traits.Sizer.
func (l *list) Size() ref.Val { return types.Int(l.n) }

// Contains implements traits.Container.
func (l *list) Contains(val ref.Val) ref.Val {
	if types.IsUnknownOrError(val) {
		return val
	}
	var err ref.Val
	for i := range l.n {
		switch eq := l.at(i).Equal(val).(type) {
		case types.Bool:
			if eq == types.True {
				return types.True
			}
		default:
			if err == nil {
				err = types.MaybeNoSuchOverloadErr(eq)
			}
		}
	}
	if err != nil {
		return err
	}
	return types.False
}

// Iterator implements traits.Iterable.
func (l *list) Iterator() traits.Iterator { return &listIterator{l: l} }

type listIterator struct {
	baseIterator
	l    *list
	next int
}

// HasNext implements traits.Iterator.
func (it *listIterator) HasNext() ref.Val { return types.Bool(it.next < it.l.n) }

// Next implements traits.Iterator.
func (it *listIterator) Next() ref.Val {
	it.next++
	return it.l.at(it.next - 1)
}

// Type implements ref.Val.
func (l *list) Type() ref.Type { return types.ListType }

// Value implements ref.Val.
func (l *list) Value() any {
	if l.items == nil {
		return l.v.JSON()
	}
	values := make([]any, l.n)
	for i, item := range l.items {
		values[i] = item.Value()
	}
	return values
}

// ConvertToNative implements ref.Val. Strings are given as such, because
// functions on lists of strings ask for them (kubernetes/kubernetes#117590).
func (l *list) ConvertToNative(t reflect.Type) (any, error) {
	if t.Kind() != reflect.Slice {
		return nil, fmt.Errorf("type conversion error from '%s' to '%s'", l.Type(), t)
	}
	if l.s.Elem.Kind != String {
		return l.Value(), nil
	}
	texts := make([]string, l.n)
	for i := range texts {
		s, ok := l.at(i).(types.String)
		if !ok {
			return nil, fmt.Errorf("item %d is not a string", i)
		}
		texts[i] = string(s)
	}
	return texts, nil
}

// ConvertToType implements ref.Val.
func (l *list) ConvertToType(t ref.Type) ref.Val {
	switch t {
	case types.ListType:
		return l
	case types.TypeType:
		return types.ListType
	}
	return types.NewErr("type conversion error from '%s' to '%s'", l.Type(), t.TypeName())
}
