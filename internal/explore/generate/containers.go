package generate

import (
	"fmt"
	"slices"
)

// most is the maximum number of items that are made to break or reach a bound.
const most = 40

// count picks the number of parts of a container, at a bound or near it.
func (g *objects) count(least, greatest *int64) int {
	low := 0
	if least != nil {
		low = int(min(*least, most))
	}
	high := low + 3
	if greatest != nil {
		high = int(min(*greatest, int64(high)))
	}
	if g.left <= 0 {
		return low
	}
	if g.opts.Generous {
		return max(low, high)
	}
	return g.Between(low, high)
}

// wrongCount picks a number of parts that breaks a bound. It returns false if no bound can be
// broken.
func (g *objects) wrongCount(least, greatest *int64) (int, bool) {
	var choices []int
	if least != nil && *least > 0 && *least <= most {
		choices = append(choices, int(*least)-1)
	}
	if greatest != nil && *greatest < most {
		choices = append(choices, int(*greatest)+1)
	}
	if len(choices) == 0 {
		return 0, false
	}
	return Pick(g.Dice, choices...), true
}

// list makes a list. If its type requires distinct items, they are.
func (g *objects) list(s *props, depth int) any {
	return g.listOf(s, g.count(s.MinItems, s.MaxItems), depth)
}

func (g *objects) listOf(s *props, count, depth int) any {
	list := []any{}
	if s.Items == nil || s.Items.Schema == nil || depth <= 0 {
		return list
	}
	seen := map[string]bool{}
	for tries := 0; len(list) < count && tries < 3*count+3; tries++ {
		item := g.value(s.Items.Schema, depth-1)
		key := identity(s, item)
		if key != "" && seen[key] {
			continue
		}
		seen[key] = true
		list = append(list, item)
	}
	return list
}

// identity returns the part of an item that must be unique in its list, as JSON; "" if items may
// repeat.
func identity(s *props, item any) string {
	switch {
	case s.UniqueItems || s.XListType != nil && *s.XListType == "set":
	case s.XListType != nil && *s.XListType == "map":
		fields, ok := item.(map[string]any)
		if !ok {
			return ""
		}
		keys := map[string]any{}
		for _, key := range s.XListMapKeys {
			if value, ok := fields[key]; ok {
				keys[key] = value
			}
		}
		item = keys
	default:
		return ""
	}
	return string(encoded(item))
}

func (g *objects) wrongList(s *props, depth int) any {
	if count, ok := g.wrongCount(s.MinItems, s.MaxItems); ok && g.IntN(2) == 0 {
		return g.listOf(s, count, depth)
	}
	list, _ := g.listOf(s, g.Between(1, 3), depth).([]any)
	if len(list) == 0 {
		return list
	}
	switch g.IntN(3) {
	case 0: // the same item two or three times
		for range g.Between(1, 2) {
			list = append(list, clone(Pick(g.Dice, list...)))
		}
	case 1:
		list[g.IntN(len(list))] = nil
	case 2:
		list = append(list, g.any())
	}
	return list
}

// object makes an object with properties, or with arbitrary keys.
func (g *objects) object(s *props, depth int) any {
	fields := map[string]any{}
	if s.XEmbeddedResource {
		g.resource(fields)
	}
	if depth <= 0 {
		return fields
	}
	g.declared(s, fields, depth)
	if s.AdditionalProperties != nil && s.AdditionalProperties.Allows {
		g.entries(s, fields, g.count(s.MinProperties, s.MaxProperties), depth)
	}
	if s.XPreserveUnknownFields != nil && g.OneIn(2) {
		fields["unknown"] = g.any()
	}
	return fields
}

// declared fills in properties: required ones, and others while there is room.
func (g *objects) declared(s *props, fields map[string]any, depth int) {
	names := sortedNames(s)
	room := len(names)
	if s.MaxProperties != nil {
		room = int(min(*s.MaxProperties, int64(room)))
	}
	for _, name := range names {
		if _, made := fields[name]; made || name == "metadata" && s.XEmbeddedResource {
			continue
		}
		property := s.Properties[name]
		switch {
		case g.opts.Defaulted && property.Default != nil && g.IntN(2) == 0:
			fields[name] = decode(property.Default.Raw)
		case slices.Contains(s.Required, name), g.opts.Defaulted && property.Default != nil,
			len(fields) < room && g.generous():
			fields[name] = g.value(&property, depth-1)
		}
	}
	for _, name := range names {
		if s.MinProperties == nil || int64(len(fields)) >= *s.MinProperties {
			break
		}
		if _, made := fields[name]; !made {
			property := s.Properties[name]
			fields[name] = g.value(&property, depth-1)
		}
	}
}

// entries fills in arbitrary keys, such as k0 and k1, up to a count.
func (g *objects) entries(s *props, fields map[string]any, count, depth int) {
	for i := 0; len(fields) < count; i++ {
		key := fmt.Sprintf("k%d", i)
		if g.OneIn(8) {
			key = fmt.Sprintf("x.y/k %d", i)
		}
		if s.AdditionalProperties == nil || s.AdditionalProperties.Schema == nil {
			fields[key] = g.any()
			continue
		}
		fields[key] = g.value(s.AdditionalProperties.Schema, depth-1)
	}
}

// resource fills in the fields of an embedded resource.
func (g *objects) resource(fields map[string]any) {
	fields["apiVersion"], fields["kind"] = "v1", "Pod"
	if g.OneIn(2) {
		fields["metadata"] = map[string]any{"name": "inner", "labels": map[string]any{"a": "b"}}
	}
}

func (g *objects) wrongObject(s *props, depth int) any {
	fields, _ := g.object(s, depth).(map[string]any)
	count, ok := g.wrongCount(s.MinProperties, s.MaxProperties)
	switch {
	case s.XEmbeddedResource && g.IntN(2) == 0:
		g.wrongResource(fields)
	case len(s.Required) > 0 && g.IntN(2) == 0:
		delete(fields, Pick(g.Dice, s.Required...))
	case ok && g.IntN(2) == 0:
		for _, key := range sortedKeys(fields) {
			if len(fields) > count {
				delete(fields, key)
			}
		}
		g.entries(s, fields, count, depth)
	default:
		fields["unknown"] = g.any()
	}
	return fields
}

func (g *objects) wrongResource(fields map[string]any) {
	key := Pick(g.Dice, "apiVersion", "kind", "metadata")
	wrong := map[string][]any{
		"apiVersion": {"", "a/b/c", int64(1)},
		"kind":       {"", "x y", true},
		"metadata": {"x", map[string]any{"name": int64(5)}, map[string]any{"labels": map[string]any{"-": "é"}},
			map[string]any{"name": "a/b", "generation": int64(-1)}, map[string]any{"finalizers": []any{"x y"}}},
	}
	if g.OneIn(4) {
		delete(fields, key)
		return
	}
	fields[key] = clone(Pick(g.Dice, wrong[key]...))
}
