package generate

import (
	"fmt"
	"slices"
)

// Growth is the goal of Grow.
type Growth struct {
	// Bytes is the wanted size of the object as JSON. The result may be a tenth larger.
	Bytes int
	// Valid reports whether an object is valid. If it is nil, every object is.
	Valid func(obj map[string]any) bool
	// Object has the identity of the object. Its faults and sizes are ignored.
	Object ObjectOptions
}

// mostRefused is the number of additions in a row that may be refused, and of first objects that may
// be invalid, before Grow gives up.
const mostRefused = 400

// Grow makes a valid object of a wanted size. It starts from an object with little more than the
// required fields, and adds fields, entries and items while the object stays valid. It assembles
// large objects from smaller ones first, because those validate much faster. The error says how far
// it got.
func Grow(src Source, schema *props, growth Growth) (map[string]any, error) {
	if growth.Valid == nil {
		growth.Valid = func(map[string]any) bool { return true }
	}
	growth.Object.Faults, growth.Object.Defaulted = 0, true
	obj, err := seedling(src, schema, growth)
	if err != nil {
		return nil, err
	}
	if small := growth.Bytes / parts; small > sizeOf(obj) {
		obj = assemble(src, schema, obj, small, growth)
	}
	return add(src, schema, obj, growth)
}

// parts is the number of small objects that a large one is assembled from.
const parts = 12

// assemble joins small objects while the result is valid and not too large.
func assemble(src Source, schema *props, obj map[string]any, small int, growth Growth) map[string]any {
	limit := growth.Bytes
	growth.Bytes = small
	for refused := 0; refused < parts; {
		seed, err := seedling(src, schema, growth)
		if err != nil {
			break
		}
		part, err := add(src, schema, seed, growth)
		if err != nil {
			refused++
			continue
		}
		larger, _ := clone(obj).(map[string]any)
		merge(schema, larger, part)
		size := sizeOf(larger)
		switch {
		case size <= limit+limit/10 && size > sizeOf(obj) && growth.Valid(larger):
			obj = larger
		default:
			refused++
		}
		if sizeOf(obj) >= limit-small {
			break
		}
	}
	return obj
}

// merge adds the fields, entries and items of one object to another one, if there is room and their
// keys are new.
func merge(s *props, into, from map[string]any) {
	for _, name := range sortedKeys(from) {
		theirs := from[name]
		switch ours := into[name].(type) {
		case nil:
			into[name] = theirs
		case map[string]any:
			if theirs, ok := theirs.(map[string]any); ok && name != "metadata" {
				merge(fieldOf(s, name), ours, theirs)
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

// add adds to an object until it has the wanted size.
func add(src Source, schema *props, obj map[string]any, growth Growth) (map[string]any, error) {
	batch, size := 1, sizeOf(obj)
	for refused := 0; size < growth.Bytes; {
		larger, _ := clone(obj).(map[string]any)
		for range batch {
			opts := growth.Object
			opts.Values, opts.Generous = 4+Dice{src}.IntN(12), true
			newObjects(src, opts).grow(schema, larger, maxDepth)
		}
		if now := sizeOf(larger); now > size && now <= growth.Bytes+growth.Bytes/10 && growth.Valid(larger) {
			obj, size, refused, batch = larger, now, 0, min(2*batch, 64)
			continue
		}
		batch = max(1, batch/2)
		if refused++; refused > mostRefused {
			return nil, fmt.Errorf("the object grew to %d of %d bytes; then %d additions in a row were not valid", size, growth.Bytes, refused)
		}
	}
	return obj, nil
}

// seedling makes a small valid object.
func seedling(src Source, schema *props, growth Growth) (map[string]any, error) {
	opts := growth.Object
	opts.Generous = false
	for i := range mostRefused {
		opts.Values = 1 + i/20
		if obj := Object(src, schema, opts); growth.Valid(obj) {
			return obj, nil
		}
	}
	return nil, fmt.Errorf("none of %d small objects is valid", mostRefused)
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
