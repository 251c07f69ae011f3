package view

import (
	"reflect"
	"sync/atomic"
	"unsafe"
)

// MostNames is how many Names there may be.
const MostNames = 64

// Names are names of entries that are asked for together, mostly in structs of one Go type. They
// remember how that type shows which of its fields are set: a struct with many fields of which few
// are set is seen in one look. Many goroutines may use them at once.
type Names struct {
	texts []string
	last  atomic.Pointer[signs]
}

// signs say how structs of a type show which fields of some names are set: by a word that is not
// zero, or by a smaller number. Of the fields in always that is not seen.
type signs struct {
	of             *Type
	always         uint64
	words, numbers []sign
}

// sign is where the value of a field shows that it is set.
type sign struct {
	offset uintptr // in the struct
	bit    uint64
	size   uintptr // in bytes
}

// NewNames makes Names of at most MostNames texts.
func NewNames(texts []string) *Names { return &Names{texts: texts} }

// MaySet gives the names whose entries may be set in a value, a bit each, the first name the lowest.
// The other entries are null, or the value has none of the name. Of what is no struct, all may be set.
func (n *Names) MaySet(v View) (set uint64) {
	t, ok := v.Struct()
	if !ok {
		return ^uint64(0) >> (MostNames - len(n.texts))
	}
	look := n.last.Load()
	if look == nil || look.of != t {
		look = t.signs(n.texts)
		n.last.Store(look)
	}
	set = look.always
	for i := range look.words {
		if s := &look.words[i]; *(*uintptr)(unsafe.Add(v.at, s.offset)) != 0 {
			set |= s.bit
		}
	}
	for i := range look.numbers {
		if s := &look.numbers[i]; s.shows(v.at) {
			set |= s.bit
		}
	}
	return set
}

func (s *sign) shows(at unsafe.Pointer) bool {
	at = unsafe.Add(at, s.offset)
	switch s.size {
	case 1:
		return *(*uint8)(at) != 0
	case 2:
		return *(*uint16)(at) != 0
	case 4:
		return *(*uint32)(at) != 0
	}
	return *(*uint64)(at) != 0
}

// signs finds the signs of the fields of some names.
func (t *Type) signs(names []string) *signs {
	made := &signs{of: t}
	for i, name := range names {
		number, ok := t.byName[name]
		if !ok {
			continue
		}
		bit := uint64(1) << i
		switch s, ok := t.fields[number].sign(); {
		case !ok:
			made.always |= bit
		case s.size == unsafe.Sizeof(uintptr(0)):
			made.words = append(made.words, sign{s.offset, bit, s.size})
		default:
			made.numbers = append(made.numbers, sign{s.offset, bit, s.size})
		}
	}
	return made
}

// sign is false for a field that is always there, or of which more must be seen to know.
func (f *structField) sign() (s sign, ok bool) {
	word := unsafe.Sizeof(uintptr(0))
	kind := f.typ.goType.Kind()
	switch {
	case f.slow != nil || f.typ.form == converted && f.omits == never:
		return sign{}, false
	case kind == reflect.String && f.omits == whenNoText, kind == reflect.Slice && f.omits == whenNoItems:
		return sign{offset: f.offset + word, size: word}, true // the length, behind the pointer
	case kind == reflect.Pointer || kind == reflect.Interface || kind == reflect.Slice || kind == reflect.Map:
		return sign{offset: f.offset, size: word}, true
	case f.omits == whenEmpty && (kind == reflect.Bool || reflect.Int <= kind && kind <= reflect.Uintptr):
		return sign{offset: f.offset, size: f.typ.size}, true
	}
	return sign{}, false
}
