package strictyaml

import (
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

var positionType = reflect.TypeFor[Position]()

// collectFields maps the keys of a mapping to the fields of a struct and fills
// in its position.
func (d *decoder) collectFields(node *yaml.Node, out reflect.Value, fields map[string]reflect.Value) {
	for i := range out.NumField() {
		field := out.Type().Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		switch {
		case field.Type == positionType && name == "-":
			out.Field(i).Set(reflect.ValueOf(d.at(node)))
		case options == "inline":
			d.collectFields(node, out.Field(i), fields)
		case name != "" && name != "-":
			fields[name] = out.Field(i)
		}
	}
}

// acceptedKeys lists the keys of a struct in the order of its fields, the
// order in which its documentation explains them.
func acceptedKeys(of reflect.Type) string {
	var names []string
	for _, key := range keysOf(of) {
		names = append(names, key.name)
	}
	return strings.Join(names, ", ")
}

// key is a key of a struct, and the type of its value.
type key struct {
	name string
	of   reflect.Type
}

// keysOf returns the keys of a struct in the order of its fields, with those of inlined structs.
func keysOf(of reflect.Type) []key {
	var keys []key
	for i := range of.NumField() {
		field := of.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		switch {
		case options == "inline":
			keys = append(keys, keysOf(field.Type)...)
		case name != "" && name != "-":
			keys = append(keys, key{name, field.Type})
		}
	}
	return keys
}
