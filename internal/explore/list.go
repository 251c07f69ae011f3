package explore

import (
	"fmt"
	"maps"
	"slices"

	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/object"
)

// items adds lists with an item more, less, twice, in another order, and of sizes at the bounds.
func (c *changes) items() {
	s, list := c.at.schema, listOf(c.at.value)
	c.itemSizes()
	c.found = append(c.found, change{aim: bound, name: "one item", to: []any{c.make(generate.Items(s), false)}, opens: true})
	if len(list) > 0 {
		c.twice()
		c.add(shape, "one item less", slices.Clone(list[1:]))
		c.add(shape, "a null item", append(slices.Clone(list), nil))
	}
	c.add(shape, "one item more", c.resized(list, len(list)+1))
	if len(list) < 2 {
		list = listOf(c.resized(list, 2))
	}
	reversed := slices.Clone(list)
	slices.Reverse(reversed)
	c.add(shape, "another order", reversed)
	sizes := []int{17, 65, 257}
	if generate.Items(s).Type == "string" {
		sizes = append(sizes, 1100)
	}
	for _, size := range sizes {
		c.add(spelling, fmt.Sprintf("%d items", size), func() any { return c.resized(list, size) })
	}
}

// mostItems bounds the lists that are made.
const mostItems = 5_000

func listOf(value any) []any {
	list, _ := value.([]any)
	return list
}

// resized returns a list of some size, with items like the existing ones.
func (c *changes) resized(list []any, size int) any {
	items := generate.Items(c.at.schema)
	out := slices.Clone(list[:min(len(list), size)])
	if out == nil {
		out = []any{}
	}
	if len(out) == size {
		return out
	}
	var like any
	if len(list) > 0 {
		like = list[0]
	} else {
		like = c.make(items, false)
	}
	for len(out) < size {
		next := numbered(items, like, c.at.schema.XListMapKeys, len(out))
		if same(next, like) {
			next = c.other(out, like)
		}
		out = append(out, next)
	}
	return out
}

// other returns one more item of a list: the same one, unless the list must not have it twice.
func (c *changes) other(list []any, like any) any {
	s := c.at.schema
	if !s.UniqueItems && (s.XListType == nil || *s.XListType == "atomic") {
		return like
	}
	const tries = 8
	for range tries {
		if made := c.make(generate.Items(s), false); !slices.ContainsFunc(list, func(known any) bool { return same(known, made) }) {
			return made
		}
	}
	return like
}

// numbered returns an item that differs from others: in its keys, or if the schema names none, in its name or
// its texts and numbers. It is the same item where the schema does not allow that.
func numbered(s *props, like any, keys []string, n int) any {
	switch like := like.(type) {
	case string:
		text := fmt.Sprintf("%s%d", like[:min(len(like), 40)], n)
		if len(s.Enum) > 0 || s.Format != "" || !generate.Fits(s, text) {
			return like
		}
		return text
	case int64:
		if s.Maximum != nil && float64(like+int64(n)) > *s.Maximum {
			return like
		}
		return like + int64(n)
	case map[string]any:
		if len(keys) == 0 {
			keys = slices.Sorted(maps.Keys(like))
			if _, named := like["name"]; named {
				keys = []string{"name"}
			}
		}
		out := maps.Clone(like)
		for _, key := range keys {
			switch out[key].(type) {
			case string, int64:
				out[key] = numbered(schemaAt(s, object.Of(key)), out[key], nil, n)
			}
		}
		return out
	}
	return like
}

// sameKeys returns another item with the keys of an item.
func (c *changes) sameKeys(like any) any {
	made := c.make(generate.Items(c.at.schema), true)
	fields, isObject := made.(map[string]any)
	from, wasObject := like.(map[string]any)
	if !isObject || !wasObject {
		return like
	}
	keys := c.at.schema.XListMapKeys
	if len(keys) == 0 {
		keys = []string{"name"}
	}
	for _, key := range keys {
		if value, has := from[key]; has {
			fields[key] = value
		}
	}
	return fields
}
