package strictyaml

import (
	"reflect"
	"slices"
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
	return strings.Join(keysOf(of), ", ")
}

func keysOf(of reflect.Type) []string {
	var keys []string
	for i := range of.NumField() {
		field := of.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		switch {
		case options == "inline":
			keys = append(keys, keysOf(field.Type)...)
		case name != "" && name != "-":
			keys = append(keys, name)
		}
	}
	return slices.Clip(keys)
}

// entry is one key of a mapping with its value, merge keys resolved.
type entry struct {
	key       string
	at, value *yaml.Node
}

// entries gives the keys of a mapping in the order of the file. A key that
// stands twice is a mistake; keys that "<<" merges in give way to the
// mapping's own.
func (d *decoder) entries(node *yaml.Node) []entry {
	var own, merged []entry
	lines := map[string]int{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		switch {
		case key.Tag == "!!merge":
			merged = append(merged, d.merged(value)...)
		case key.Kind != yaml.ScalarNode:
			d.addf(key, "a key must be text, not %s", kindOf(key))
		case lines[key.Value] != 0:
			d.addf(key, "key %q stands twice; first in line %d", key.Value, lines[key.Value])
		default:
			lines[key.Value] = key.Line
			own = append(own, entry{key.Value, key, value})
		}
	}
	for _, entry := range merged {
		if lines[entry.key] == 0 {
			lines[entry.key] = entry.at.Line
			own = append(own, entry)
		}
	}
	return own
}

// merged gives the keys that a merge key brings in: those of one mapping, or
// of a list of mappings of which the earlier win.
func (d *decoder) merged(value *yaml.Node) []entry {
	value, ok := d.enter(value, 0)
	if !ok {
		return nil
	}
	switch value.Kind {
	case yaml.MappingNode:
		return d.entries(value)
	case yaml.SequenceNode:
		var all []entry
		for _, item := range value.Content {
			all = append(all, d.merged(item)...)
		}
		return all
	}
	d.addf(value, "only a mapping can be merged with <<, not %s", kindOf(value))
	return nil
}
