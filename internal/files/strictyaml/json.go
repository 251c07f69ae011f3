package strictyaml

import (
	"math"

	"go.yaml.in/yaml/v3"
)

// json converts a node to the types of encoding/json with integers: map[string]any, []any, string, bool,
// int64, float64 or nil, as kubectl does. Values that JSON cannot represent (NaN, a key that is not a
// scalar) are mistakes.
func (d *decoder) json(node *yaml.Node, depth int) any {
	switch node.Kind {
	case yaml.MappingNode:
		object := make(map[string]any, len(node.Content)/2)
		for _, entry := range d.entries(node) {
			name := Key(entry.at)
			switch _, twice := object[name]; {
			case entry.at.Tag == "!!null":
				d.addf(entry.at, "a key must be text, not null; put it in quotes")
			case twice:
				d.addf(entry.at, "key %q occurs twice, in two forms", name)
			}
			if value, ok := d.enter(entry.value, depth+1); ok {
				object[name] = d.json(value, depth+1)
			}
		}
		return object
	case yaml.SequenceNode:
		list := make([]any, 0, len(node.Content))
		for _, item := range node.Content {
			if value, ok := d.enter(item, depth+1); ok {
				list = append(list, d.json(value, depth+1))
			}
		}
		return list
	}
	return d.jsonScalar(node)
}

func (d *decoder) jsonScalar(node *yaml.Node) any {
	if value, is := boolean(node); is {
		return value
	}
	switch node.Tag {
	case "!!null":
		return nil
	case "!!bool":
		var value bool
		if err := node.Decode(&value); err != nil {
			d.addf(node, "%v", err)
		}
		return value
	case "!!int":
		var integer int64
		if node.Decode(&integer) == nil {
			return integer
		}
		return d.jsonFloat(node) // beyond int64, as JSON decoders do
	case "!!float":
		return d.jsonFloat(node)
	case "!!binary":
		var value string
		if err := node.Decode(&value); err != nil {
			d.addf(node, "%v", err)
		}
		return value
	}
	return node.Value // text and dates alike: as they are written
}

func (d *decoder) jsonFloat(node *yaml.Node) any {
	var value float64
	if err := node.Decode(&value); err != nil {
		d.addf(node, "%v", err)
	}
	if math.IsNaN(value) || math.IsInf(value, 0) {
		d.addf(node, "%s is not a JSON number", node.Value)
		return nil
	}
	return value
}
