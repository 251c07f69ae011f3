package view

import "sync/atomic"

// Name is a name that is looked for in many maps. It remembers where it is in structs of
// the Go type that it met first, which is mostly the only one, so that others of it cost
// no search. It may be used by many goroutines at once; it must not be copied.
type Name struct {
	text  string
	first atomic.Pointer[place]
}

// place is where a struct has a field.
type place struct {
	of    *Type
	index int // -1: it has none
	// kind is what the field is whenever it is there, if that is certain.
	kind    Kind
	certain bool
}

// NewName makes a Name.
func NewName(text string) *Name { return &Name{text: text} }

// Text is the name itself.
func (n *Name) Text() string { return n.text }

// In gives the entry of a map, as Reader.Field does.
func (n *Name) In(r *Reader, v View) (View, bool) {
	if v.mode != typed || v.kind != Map {
		return r.Field(v, n.text)
	}
	t := v.raw.(*Type)
	if t.form != aStruct {
		return v.field(n.text)
	}
	if p := n.place(t); p.index >= 0 {
		return v.FieldAt(p.index)
	}
	return View{}, false
}

// KindIn is the kind of the entry of a map, and whether it is there. Of a struct it is
// mostly known without a look at what the field holds.
func (n *Name) KindIn(r *Reader, v View) (kind Kind, there bool) {
	if t, ok := v.Struct(); ok {
		p := n.place(t)
		if p.index < 0 {
			return Null, false
		}
		if p.certain {
			_, there = t.fields[p.index].find(t, v.at)
			return p.kind, there
		}
	}
	x, there := n.In(r, v)
	return x.kind, there
}

// place gives the place in structs of a type.
func (n *Name) place(t *Type) place {
	first := n.first.Load()
	if first != nil && first.of == t {
		return *first
	}
	p := place{of: t, index: -1}
	if i, ok := t.byName[n.text]; ok {
		p.index = i
		p.kind, p.certain = t.fields[p.index].kind()
	}
	if first == nil {
		n.first.Store(&place{p.of, p.index, p.kind, p.certain})
	}
	return p
}

// kind is the kind that a field has whenever JSON does not leave it out. It is false for
// a field that can have several.
func (f *structField) kind() (Kind, bool) {
	of := f.typ
	if of.form == aPointer && f.omitEmpty {
		of = of.elem
	}
	switch of.form {
	case aStruct:
		return Map, true
	case aList:
		return List, of == f.typ && f.omitEmpty // of a pointer, it may be nil
	case aMap:
		return Map, of == f.typ && f.omitEmpty
	case aText, aQuantity:
		return String, true
	case anInt, aUint:
		return Int, true
	case aBool:
		return Bool, true
	case aFloat:
		return Float, true
	}
	return Null, false
}
