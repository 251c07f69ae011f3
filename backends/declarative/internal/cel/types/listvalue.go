package types

import (
	"fmt"
	"reflect"

	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// ListValue is a list of an object. The list type decides how == and + work: sets compare and unite members; lists of
// type map compare items by key and merge by key.
type ListValue struct {
	r *view.Reader
	s *Type
	n int

	v view.View

	members    map[any]struct{} // of a set, once it was compared
	unhashable ref.Val          // the error of a set that has none
	byKeys     map[any]int      // of a list by keys, once it was compared
}

var _ traits.Lister = (*ListValue)(nil)

// data returns an item as data.
func (l *ListValue) data(i int) view.View {
	v, _ := l.r.At(l.v, i)
	return v
}

func (l *ListValue) at(i int) ref.Val { return ValueOf(l.r, l.data(i), l.s.Elem) }

// Get implements traits.Indexer.
func (l *ListValue) Get(index ref.Val) ref.Val {
	i, ok := index.(celtypes.Int)
	if !ok {
		return celtypes.ValOrErr(index, "unsupported index: %v", index)
	}
	if i < 0 || int64(i) >= int64(l.n) {
		return celtypes.NewErr("index out of bounds: %v", index)
	}
	return l.at(int(i))
}

// Size implements traits.Sizer.
func (l *ListValue) Size() ref.Val { return celtypes.Int(l.n) }

// Contains implements traits.Container.
func (l *ListValue) Contains(val ref.Val) ref.Val {
	if celtypes.IsUnknownOrError(val) {
		return val
	}
	var err ref.Val
	for i := range l.n {
		switch eq := l.at(i).Equal(val).(type) {
		case celtypes.Bool:
			if eq == celtypes.True {
				return celtypes.True
			}
		default:
			if err == nil {
				err = celtypes.MaybeNoSuchOverloadErr(eq)
			}
		}
	}
	if err != nil {
		return err
	}
	return celtypes.False
}

// Iterator implements traits.Iterable.
func (l *ListValue) Iterator() traits.Iterator { return &listIterator{Iterator: anIterator, l: l} }

// listIterator makes each item on demand. Everything else is that of cel-go's iterators.
type listIterator struct {
	traits.Iterator
	l    *ListValue
	next int
}

var anIterator = celtypes.NewRefValList(celtypes.DefaultTypeAdapter, nil).Iterator()

// HasNext implements traits.Iterator.
func (it *listIterator) HasNext() ref.Val { return celtypes.Bool(it.next < it.l.n) }

// Next implements traits.Iterator.
func (it *listIterator) Next() ref.Val {
	it.next++
	return it.l.at(it.next - 1)
}

// Type implements ref.Val.
func (l *ListValue) Type() ref.Type { return celtypes.ListType }

// Value implements ref.Val.
func (l *ListValue) Value() any { return l.v.Set() }

// ConvertToNative implements ref.Val. It converts strings to Go strings, because functions on
// lists of strings need them (kubernetes/kubernetes#117590).
func (l *ListValue) ConvertToNative(t reflect.Type) (any, error) {
	if t.Kind() != reflect.Slice {
		return nil, fmt.Errorf("type conversion error from '%s' to '%s'", l.Type(), t)
	}
	switch l.s.Elem.Kind {
	case String, Bytes, Duration, Date, DateTime:
	default:
		return l.Value(), nil
	}
	texts := make([]string, l.n)
	for i := range texts {
		v := l.data(i)
		if v.Kind() != view.String {
			return nil, fmt.Errorf("expected all elements to be of type string, but got %s", goType(v))
		}
		texts[i] = v.Str()
	}
	return texts, nil
}

// ConvertToType implements ref.Val.
func (l *ListValue) ConvertToType(t ref.Type) ref.Val { return convert(l, celtypes.ListType, t) }
