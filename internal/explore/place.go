package explore

import (
	"maps"
	"slices"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// resolve returns a path of a rule in objects: the first item for any item, and the first key.
func resolve(at site, path []string) (steps, *props, bool) {
	place, schema := at.path, at.schema
	for i, name := range path {
		next := place.Field(name)
		switch {
		case name == "[*]" && (schema.Type == "array" || schema.Items != nil):
			next, schema = place.Item(0), generate.Items(schema)
		case name == "[*]" || name == "*":
			next, schema = place.Key("key"), entryOf(schema)
			if schema == nil {
				return nil, nil, false
			}
		default:
			declared, has := schema.Properties[name]
			switch {
			case has:
				schema = &declared
			case entryOf(schema) != nil:
				next, schema = place.Key(name), entryOf(schema)
			case len(at.path)+i == 0 && name == "metadata":
				schema = objectMeta()
			case schema.XPreserveUnknownFields != nil && *schema.XPreserveUnknownFields:
				schema = &props{XPreserveUnknownFields: schema.XPreserveUnknownFields}
			default:
				return nil, nil, false
			}
			if len(at.path)+i == 0 && name == "metadata" && len(schema.Properties) == 0 {
				schema = objectMeta()
			}
		}
		place = next
	}
	return place, schema, true
}

// placer puts values into objects, with the parts around them.
type placer struct {
	src    generate.Source
	schema *props
	known  map[string][]any // values of other objects, by place
}

func (e *Explorer) placer(src generate.Source) placer {
	return placer{src, e.options.Schema, e.values.at}
}

// assigned returns an object with other values.
func (p placer) assigned(object map[string]any, all []assignment) map[string]any {
	for _, one := range all {
		to := one.to
		if one.part {
			to = p.part(one.path)
		}
		object = p.put(object, one.path, to)
	}
	return object
}

// put returns an object with another value at a path.
func (p placer) put(object map[string]any, path steps, to any) map[string]any {
	if to != (absence{}) {
		object = p.ensured(object, path)
	}
	return path.Put(object, to)
}

// part returns a value for a place that is probably accepted: that of another object, or the least one.
func (p placer) part(path steps) any {
	if known := p.known[path.General()]; len(known) > 0 {
		return known[0]
	}
	schema := schemaAt(p.schema, path)
	part := generate.Value(p.src, schema, generate.ObjectOptions{Values: 1})
	if list, isList := part.([]any); isList && len(list) == 0 {
		part = []any{generate.Value(p.src, generate.Items(schema), generate.ObjectOptions{Values: 1})}
	}
	return completed(p.src, schema, part)
}

// ensured returns an object in which the parts above a path exist: those of other objects, or the least ones.
func (p placer) ensured(object map[string]any, path steps) map[string]any {
	for i := range path[:max(0, len(path)-1)] {
		above := path[:i+1]
		value, has := above.Get(object)
		if list, isList := value.([]any); has && (!isList || len(list) > 0) {
			continue
		}
		object = above.Put(p.chosen(object, above), p.part(above))
	}
	return object
}

// chosen returns an object in which the discriminator of a union, if there is one, is that of the field that is about to
// be set, and the fields of its other values are taken out.
func (p placer) chosen(object map[string]any, path steps) map[string]any {
	around, name := path[:len(path)-1], path[len(path)-1].Name
	for _, u := range unionsOf(schemaAt(p.schema, around)) {
		for _, value := range slices.Sorted(maps.Keys(u.values)) {
			if u.values[value] == name {
				fields, _ := around.Get(object)
				object = around.Put(object, u.chosen(asObject(fields), value))
			}
		}
	}
	return object
}

func asObject(value any) map[string]any {
	object, _ := value.(map[string]any)
	return object
}
