package view

import (
	"sync/atomic"
	"unsafe"
)

// Name is the name of an entry that is looked up often, mostly in structs of one Go type. It remembers
// the field of that type, which saves a tenth of the time of typed Pods. It is safe for use by many
// goroutines.
type Name struct {
	text string
	last atomic.Pointer[foundField]
}

// foundField is a field of a struct of a type.
type foundField struct {
	of *Type
	structField
}

// NewName makes a Name.
func NewName(text string) *Name { return &Name{text: text} }

// Named is Field for a Name.
func (r *Reader) Named(v View, name *Name) (View, bool) {
	switch f, at, ok := name.find(v); {
	case f == nil:
		return r.Field(v, name.text)
	case ok:
		return f.typ.view(at), true
	}
	return View{}, false
}

// KindOf returns the kind of the value that Named returns.
func (r *Reader) KindOf(v View, name *Name) (Kind, bool) {
	switch f, at, ok := name.find(v); {
	case f == nil:
		entry, ok := r.Field(v, name.text)
		return entry.kind, ok
	case ok:
		return f.typ.kindOf(at), true
	}
	return Null, false
}

// find finds the field of a struct that has the name. It is false if JSON leaves the field out.
// f is nil if there is no such field, or v is no struct.
func (n *Name) find(v View) (f *structField, at unsafe.Pointer, ok bool) {
	if v.mode != typed || v.kind != Map {
		return nil, nil, false
	}
	t := v.raw.(*Type)
	last := n.last.Load()
	if last == nil || last.of != t {
		i, known := t.byName[n.text]
		if !known {
			return nil, nil, false
		}
		last = &foundField{t, t.fields[i]}
		n.last.Store(last)
	}
	at, ok = last.find(t, v.at)
	return &last.structField, at, ok
}
