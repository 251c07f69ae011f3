package generate

import "slices"

// Vary makes an object from a known one, usually a valid one, such as an update of it: it adds, replaces, repeats, reorders or
// removes something in a few places, or in none. Values are wrong as often as the options say. The known object is not
// changed.
func Vary(src Source, schema *props, obj map[string]any, opts ObjectOptions) map[string]any {
	varied, _ := clone(obj).(map[string]any)
	g := newObjects(src, opts)
	for range g.Between(0, 4) {
		g.vary(schema, varied, true)
	}
	return varied
}

// vary changes something in a map or below it. At the root, apiVersion, kind and metadata stay the
// same.
func (g *objects) vary(s *props, fields map[string]any, isRoot bool) {
	var names []string
	for _, name := range sortedKeys(fields) {
		if !isRoot || (name != "apiVersion" && name != "kind" && name != "metadata") {
			names = append(names, name)
		}
	}
	if len(names) == 0 || g.OneIn(4) {
		g.grow(s, fields, maxDepth)
		return
	}
	name := Pick(g.Dice, names...)
	value, stays := g.varied(fieldOf(s, name), fields[name])
	if !stays {
		delete(fields, name)
		return
	}
	fields[name] = value
}

// varied returns another value, or false to remove it.
func (g *objects) varied(s *props, value any) (any, bool) {
	switch value := value.(type) {
	case map[string]any:
		if !g.OneIn(6) {
			g.vary(s, value, false)
			return value, true
		}
	case []any:
		if len(value) > 0 && !g.OneIn(6) {
			at := g.IntN(len(value))
			switch g.IntN(5) {
			case 0:
				slices.Reverse(value)
				return value, true
			case 1:
				value[at] = clone(Pick(g.Dice, value...))
				return value, true
			}
			item, stays := g.varied(Items(s), value[at])
			if !stays {
				return slices.Delete(value, at, at+1), true
			}
			value[at] = item
			return value, true
		}
	}
	if g.OneIn(3) {
		return nil, false
	}
	return g.value(s, maxDepth), true
}
