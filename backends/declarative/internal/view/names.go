package view

import (
	"reflect"
	"sync/atomic"
	"unsafe"
)

// MostNames is the maximum number of Names.
const MostNames = 64

// Names are names of entries that are asked for together, mostly in structs of one Go type. They
// remember how that type shows which of its fields are set, so a struct with many fields of which few
// are set is read fast. They are safe for use by many goroutines.
type Names struct {
	texts  []string
	wanted func(i int, kind Kind) bool // nil: all are
	last   atomic.Pointer[look]
}

// look is how structs of a type show which fields are set: by a word that is not zero, or by a smaller
// number. The fields in always do not show it.
type look struct {
	of             *Type
	fields         []*structField // by name; nil: there is none
	always         uint64
	words, numbers []sign
}

// sign is where a struct shows that a field is set.
type sign struct {
	offset uintptr // in the struct
	bit    uint64
	size   uintptr // in bytes; zero: of a map, its length
}

// NewNames makes Names of at most MostNames texts. If wanted is not nil, it reports whether an
// entry is wanted if its value is of a kind.
func NewNames(texts []string, wanted func(i int, kind Kind) bool) *Names {
	return &Names{texts: texts, wanted: wanted}
}

// Fields are the fields of a struct that have some names.
type Fields struct {
	look *look
	at   unsafe.Pointer
}

// In returns the fields of a value that have the names. It is false if the value is not a struct.
func (n *Names) In(v View) (Fields, bool) {
	t, ok := v.Struct()
	if !ok {
		return Fields{}, false
	}
	last := n.last.Load()
	if last == nil || last.of != t {
		last = n.look(t)
		n.last.Store(last)
	}
	return Fields{last, v.at}, true
}

// MaySet returns the fields that may be set, one bit each, beginning with the lowest for the first name.
// The other fields are null, are left out of JSON, or have a kind that is not wanted.
func (f Fields) MaySet() (set uint64) {
	set = f.look.always
	for i := range f.look.words {
		if s := &f.look.words[i]; *(*uintptr)(unsafe.Add(f.at, s.offset)) != 0 {
			set |= s.bit
		}
	}
	for i := range f.look.numbers {
		if s := &f.look.numbers[i]; s.shows(f.at) {
			set |= s.bit
		}
	}
	return set
}

// Get returns the field of the i-th name. It is false if there is none, or JSON leaves it out.
func (f Fields) Get(i int) (View, bool) {
	field := f.look.fields[i]
	if field == nil {
		return View{}, false
	}
	at, ok := field.find(f.look.of, f.at)
	if !ok {
		return View{}, false
	}
	return field.typ.view(at), true
}

func (s *sign) shows(at unsafe.Pointer) bool {
	at = unsafe.Add(at, s.offset)
	switch s.size {
	case 0:
		return mapLen(at) != 0
	case 1:
		return *(*uint8)(at) != 0
	case 2:
		return *(*uint16)(at) != 0
	case 4:
		return *(*uint32)(at) != 0
	}
	return *(*uint64)(at) != 0
}

// look determines how structs of a type show the fields of the names.
func (n *Names) look(t *Type) *look {
	made := &look{of: t, fields: make([]*structField, len(n.texts))}
	for i, name := range n.texts {
		number, ok := t.byName[name]
		if !ok {
			continue
		}
		f := &t.fields[number]
		made.fields[i] = f
		kind, fixed := f.typ.fixedKind()
		mayBeNull := n.wanted != nil && n.wanted(i, Null)
		if fixed && n.wanted != nil && !n.wanted(i, kind) && !mayBeNull {
			continue
		}
		bit := uint64(1) << i
		switch s, ok := f.sign(); {
		case !ok || mayBeNull:
			made.always |= bit
		case s.size == unsafe.Sizeof(uintptr(0)):
			made.words = append(made.words, sign{s.offset, bit, s.size})
		default:
			made.numbers = append(made.numbers, sign{s.offset, bit, s.size})
		}
	}
	return made
}

// sign is false for a field that is always set, or that does not show in one word whether it is.
func (f *structField) sign() (s sign, ok bool) {
	word := unsafe.Sizeof(uintptr(0))
	kind := f.typ.kind
	switch {
	case f.slow != nil || f.typ.form == converted && f.omits == never:
		return sign{}, false
	case kind == reflect.String && f.omits == whenNoText, kind == reflect.Slice && f.omits == whenNoItems:
		return sign{offset: f.offset + word, size: word}, true // the length, behind the pointer
	case kind == reflect.Map && f.omits == whenEmpty:
		return sign{offset: f.offset}, true
	case kind == reflect.Pointer || kind == reflect.Interface || kind == reflect.Slice || kind == reflect.Map:
		return sign{offset: f.offset, size: word}, true
	case f.omits == whenEmpty && (kind == reflect.Bool || reflect.Int <= kind && kind <= reflect.Uintptr):
		return sign{offset: f.offset, size: f.typ.size}, true
	}
	return sign{}, false
}

// fixedKind returns the kind of all values of the type that are not null. It is false if they have
// several kinds, or if the kind depends on the value.
func (t *Type) fixedKind() (Kind, bool) {
	switch t.form {
	case aPointer:
		return t.elem.fixedKind()
	case aStruct, aMap:
		return Map, true
	case aList:
		return List, true
	case aText, someBytes, aQuantity, aTime:
		return String, true
	case anInt, aUint:
		return Int, true
	case aFloat:
		return Float, true
	case aBool:
		return Bool, true
	}
	return Null, false
}
