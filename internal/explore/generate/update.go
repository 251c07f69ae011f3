package generate

import (
	"maps"
	"slices"
)

// Update returns a possible update of an object. It makes up to three changes below the root: a new
// value from the schema (wrong as often as the options say), a removed value, a duplicate item, or
// reordered items. apiVersion, kind and metadata stay the same. The object is not changed.
func Update(src Source, schema *props, old map[string]any, opts ObjectOptions) map[string]any {
	g := newObjects(src, opts)
	next, _ := clone(old).(map[string]any)
	for range g.Between(0, 3) {
		g.changeObject(schema, next, maxDepth)
	}
	for _, kept := range []string{"apiVersion", "kind", "metadata"} {
		delete(next, kept)
		if value, has := old[kept]; has {
			next[kept] = clone(value)
		}
	}
	return next
}

// changeObject changes one field, or something below it.
func (g *objects) changeObject(s *props, fields map[string]any, depth int) {
	if g.OneIn(6) {
		g.addField(s, fields, depth)
		return
	}
	keys := sortedKeys(fields)
	keys = slices.DeleteFunc(keys, func(key string) bool { return key == "apiVersion" || key == "kind" || key == "metadata" })
	if len(keys) == 0 {
		g.addField(s, fields, depth)
		return
	}
	key := Pick(g.Dice, keys...)
	inside := fieldOf(s, key)
	if g.inside(inside, fields[key], depth) {
		return
	}
	if g.OneIn(3) {
		delete(fields, key)
		return
	}
	fields[key] = g.value(inside, depth-1)
}

func (g *objects) addField(s *props, fields map[string]any, depth int) {
	if s.AdditionalProperties != nil {
		fields["new"] = g.value(fieldOf(s, "new"), depth-1)
		return
	}
	if names := sortedNames(s); len(names) > 0 {
		if name := Pick(g.Dice, names...); name != "metadata" {
			fields[name] = g.value(fieldOf(s, name), depth-1)
		}
	}
}

// inside sometimes changes a part of a value that has parts. It reports whether it did.
func (g *objects) inside(s *props, value any, depth int) bool {
	if depth <= 0 || g.OneIn(4) {
		return false
	}
	switch value := value.(type) {
	case map[string]any:
		g.changeObject(s, value, depth-1)
		return true
	case []any:
		if len(value) == 0 {
			return false
		}
		g.changeList(s, value, depth)
		return true
	default:
		return false
	}
}

// changeList changes the items of a list in place. The length stays the same.
func (g *objects) changeList(s *props, list []any, depth int) {
	item := itemOf(s)
	at := g.IntN(len(list))
	switch g.IntN(5) {
	case 0:
		slices.Reverse(list)
	case 1:
		list[at] = clone(Pick(g.Dice, list...))
	case 2:
		list[at] = g.value(item, depth-1)
	default:
		if !g.inside(item, list[at], depth-1) {
			list[at] = g.value(item, depth-1)
		}
	}
}

// fieldOf returns the schema of a field, or a schema that allows anything if the field is not
// declared.
func fieldOf(s *props, name string) *props {
	if property, ok := s.Properties[name]; ok {
		return &property
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		return s.AdditionalProperties.Schema
	}
	return &props{}
}

func itemOf(s *props) *props {
	if s.Items == nil || s.Items.Schema == nil {
		return &props{}
	}
	return s.Items.Schema
}

func sortedKeys(fields map[string]any) []string { return slices.Sorted(maps.Keys(fields)) }
