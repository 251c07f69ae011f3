package fieldpath

import (
	"reflect"
	"strings"
)

// TypeNames are the JSON names of the fields of a Go type. It implements Names. The zero value has none.
type TypeNames struct{ typ reflect.Type } // a struct, a map or a list; nil: none

// NamesOfType returns the JSON names of the fields of a Go type.
func NamesOfType(typ reflect.Type) TypeNames {
	if typ != nil && typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	return TypeNames{typ}
}

// Has implements Names.
func (n TypeNames) Has(name string) bool {
	if n.typ == nil || n.typ.Kind() != reflect.Struct {
		return false
	}
	_, has := jsonField(n.typ, name)
	return has
}

// Field implements Names.
func (n TypeNames) Field(name string) Names { return n.Below(Step{Text: name}) }

// Entry implements Names.
func (n TypeNames) Entry(key string) Names { return n.Below(Step{Text: key, Bracket: true}) }

// Below returns the names of the fields of the value at a step.
func (n TypeNames) Below(step Step) TypeNames {
	switch {
	case n.typ == nil:
		return n
	case n.typ.Kind() == reflect.Struct && !step.Bracket:
		field, _ := jsonField(n.typ, step.Text)
		return NamesOfType(field)
	case n.typ.Kind() == reflect.Map, n.typ.Kind() == reflect.Slice:
		return NamesOfType(n.typ.Elem())
	}
	return TypeNames{}
}

// jsonField finds the field of a struct with a JSON name.
func jsonField(of reflect.Type, name string) (reflect.Type, bool) {
	for field := range of.Fields() {
		tag, tagged := field.Tag.Lookup("json")
		tag, _, _ = strings.Cut(tag, ",")
		switch {
		case tagged && tag == "" && field.Anonymous:
			if found, is := jsonField(NamesOfType(field.Type).typ, name); is {
				return found, true
			}
		case tag == name && tag != "" && tag != "-":
			return field.Type, true
		}
	}
	return nil, false
}
