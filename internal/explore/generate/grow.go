package generate

import (
	"fmt"
	"slices"
)

// Add adds a field, an entry or an item to an object or below it, most of the time.
func Add(src Source, schema *props, obj map[string]any, opts ObjectOptions) {
	newObjects(src, opts).grow(schema, obj, maxDepth)
}

// Join adds the fields, entries and items of one object to another one, if there is room and their
// keys are new.
func Join(s *props, into, from map[string]any) {
	for _, name := range sortedKeys(from) {
		theirs := from[name]
		switch ours := into[name].(type) {
		case nil:
			into[name] = theirs
		case map[string]any:
			if theirs, ok := theirs.(map[string]any); ok && name != "metadata" {
				Join(fieldOf(s, name), ours, theirs)
			}
		case []any:
			list := fieldOf(s, name)
			theirs, _ := theirs.([]any)
			for _, item := range theirs {
				if !full(list, ours) && !contains(list, ours, item) {
					ours = append(ours, item)
				}
			}
			into[name] = ours
		}
	}
}

func full(s *props, list []any) bool {
	return s.MaxItems != nil && int64(len(list)) >= *s.MaxItems
}

// contains reports whether a list already has an item with the same identity.
func contains(s *props, list []any, item any) bool {
	key := identity(s, item)
	return key != "" && slices.ContainsFunc(list, func(other any) bool { return identity(s, other) == key })
}

// grow adds something to an object or below it, most of the time.
func (g *objects) grow(s *props, fields map[string]any, depth int) {
	if depth <= 0 {
		return
	}
	var missing, containers []string
	for _, name := range sortedNames(s) {
		if _, there := fields[name]; !there && name != "metadata" {
			missing = append(missing, name)
		}
	}
	for _, name := range sortedKeys(fields) {
		switch fields[name].(type) {
		case map[string]any, []any:
			if name != "metadata" {
				containers = append(containers, name)
			}
		}
	}
	open := s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil
	switch at := g.IntN(len(containers) + min(len(missing), 2) + 1); {
	case at < len(containers):
		fields[containers[at]] = g.growInside(fieldOf(s, containers[at]), fields[containers[at]], depth-1)
	case len(missing) > 0:
		name := Pick(g.Dice, missing...)
		fields[name] = g.value(fieldOf(s, name), depth-1)
	case open && (s.MaxProperties == nil || int64(len(fields)) < *s.MaxProperties):
		key := fmt.Sprintf("k%d", len(fields))
		fields[key] = g.value(s.AdditionalProperties.Schema, depth-1)
	}
}

// growInside returns a container with something added.
func (g *objects) growInside(s *props, value any, depth int) any {
	switch value := value.(type) {
	case map[string]any:
		g.grow(s, value, depth)
	case []any:
		return g.growList(s, value, depth)
	}
	return value
}

func (g *objects) growList(s *props, list []any, depth int) any {
	if len(list) > 0 && (full(s, list) || g.IntN(3) != 0) {
		at := g.IntN(len(list))
		list[at] = g.growInside(Items(s), list[at], depth-1)
		return list
	}
	if full(s, list) || depth <= 0 {
		return list
	}
	if item := g.another(s, list, depth); !contains(s, list, item) {
		return append(list, item)
	}
	return list
}

// another makes one more item. Half of the time it copies an existing one with new keys, because
// the copy probably satisfies all rules too.
func (g *objects) another(s *props, list []any, depth int) any {
	if len(list) == 0 || g.IntN(2) == 0 {
		return g.value(Items(s), depth-1)
	}
	item := clone(Pick(g.Dice, list...))
	if fields, ok := item.(map[string]any); ok {
		for _, key := range s.XListMapKeys {
			fields[key] = g.value(fieldOf(Items(s), key), depth-1)
		}
	}
	return item
}
