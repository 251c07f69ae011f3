package view

import "sync/atomic"

// Name is the name of an entry that is looked up again and again, mostly in structs of one Go type.
// It remembers where that type has it, which saves typed Pods a tenth of the time. Many goroutines
// may use it at once.
type Name struct {
	text string
	last atomic.Pointer[numbered]
}

// numbered is the number of a field in a type.
type numbered struct {
	of     *Type
	number int
}

// NewName makes a Name.
func NewName(text string) *Name { return &Name{text: text} }

// Named is Field for a Name.
func (r *Reader) Named(v View, name *Name) (View, bool) {
	t, ok := v.Struct()
	if !ok {
		return r.Field(v, name.text)
	}
	last := name.last.Load()
	if last == nil || last.of != t {
		i, known := t.byName[name.text]
		if !known {
			return View{}, false
		}
		last = &numbered{t, i}
		name.last.Store(last)
	}
	return v.FieldAt(last.number)
}
