package explore

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/object"
)

// forKeyword adds the values at and beside the bound of a keyword, those outside first. Without a schema that
// has the keyword, it adds none.
func (c *changes) forKeyword(keyword string) {
	switch keyword {
	case "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "multipleOf":
		c.bounds()
	case "minLength", "maxLength":
		c.lengths()
	case "minItems", "maxItems":
		c.itemSizes()
	case "minProperties", "maxProperties":
		c.entrySizes()
	case "enum":
		c.enum()
	case "pattern", "format":
		c.notations()
	case "uniqueItems", "x-kubernetes-list-type":
		c.twice()
	case "allOf", "anyOf", "oneOf", "not":
		c.branches()
	}
}

// enum adds each value of an enum, and one that is not in it.
func (c *changes) enum() {
	if len(c.at.schema.Enum) > 0 {
		c.add(bound, "not in the enum", "other")
	}
	for _, one := range c.at.schema.Enum {
		var value any
		if json.Unmarshal(one.Raw, &value) == nil {
			c.found = append(c.found, change{aim: bound, name: string(one.Raw), to: value, mode: true, opens: true})
		}
	}
}

// bounds adds numbers at and beside the bounds.
func (c *changes) bounds() {
	s := c.at.schema
	for _, limit := range []struct {
		name    string
		value   *float64
		outside float64
	}{{"the maximum", s.Maximum, 1}, {"the minimum", s.Minimum, -1}, {"multipleOf", s.MultipleOf, 1}} {
		if limit.value == nil || math.Abs(*limit.value) >= 1<<52 {
			continue
		}
		for i, by := range []float64{limit.outside, 0, -limit.outside, limit.outside / 2, -limit.outside / 2} {
			if number := whole(*limit.value + by); s.Type == "number" || isWhole(number) {
				c.add(nearest(i, 2), fmt.Sprintf("%s %+g", limit.name, by), number)
			}
		}
	}
}

// nearest returns the aim of the i-th value of a keyword: the first ones, just outside and just inside, are
// tried before the others.
func nearest(i, first int) aim {
	if i < first {
		return bound
	}
	return shape
}

// whole returns a number as documents have it.
func whole(number float64) any {
	if math.Trunc(number) == number {
		return int64(number)
	}
	return number
}

func isWhole(number any) bool {
	_, is := number.(int64)
	return is
}

// size is a bound of the length of a text or the size of a list or object.
type size struct {
	of      string
	limit   *int64
	outside int64
}

// at adds values of the sizes at and beside a bound.
func (c *changes) sizes(most int64, all []size, made func(size int) any) {
	for _, one := range all {
		for i, by := range []int64{one.outside, 0, -one.outside} {
			if one.limit != nil && *one.limit+by >= 0 && *one.limit+by <= most {
				c.add(nearest(i, 2), fmt.Sprintf("%s %+d", one.of, by), func() any { return made(int(*one.limit + by)) })
			}
		}
	}
}

// longest bounds the texts that are made.
const longest = 1 << 17

// lengths adds texts of the lengths at and beside the bounds.
func (c *changes) lengths() {
	s := c.at.schema
	all := []size{{"the maximum length", s.MaxLength, 1}, {"the minimum length", s.MinLength, -1}}
	c.sizes(longest, all, func(size int) any { return sized(s, size) })
	text, _ := c.at.value.(string)
	for _, one := range all {
		for _, by := range []int64{one.outside, 0, -one.outside} {
			if one.limit == nil || *one.limit+by < 0 || *one.limit+by > longest {
				continue
			}
			for i, longer := range lengthened(text, int(*one.limit+by)) {
				c.add(shape, fmt.Sprintf("%s %+d, longer %d", one.of, by, i), longer)
			}
		}
	}
}

// notations adds texts that have the pattern and the format, and some that do not.
func (c *changes) notations() {
	s := c.at.schema
	if s.Pattern == "" && s.Format == "" {
		return
	}
	for i := range 4 {
		wrong, _ := generate.Value(generate.Seeded(uint64(i)), s, generate.ObjectOptions{Values: 1, Faults: 1}).(string)
		c.add(nearest(i, 1), fmt.Sprintf("wrong %d", i), wrong)
		right, _ := generate.Value(generate.Seeded(uint64(i)), s, generate.ObjectOptions{Values: 1}).(string)
		c.add(nearest(i, 1), fmt.Sprintf("right %d", i), right)
	}
}

// itemSizes adds lists of the sizes at and beside the bounds.
func (c *changes) itemSizes() {
	s, list := c.at.schema, listOf(c.at.value)
	c.sizes(mostItems, []size{{"the maximum of items", s.MaxItems, 1}, {"the minimum of items", s.MinItems, -1}},
		func(size int) any { return c.resized(list, size) })
}

// twice adds lists with an item twice, or with its keys.
func (c *changes) twice() {
	list := listOf(c.at.value)
	if len(list) == 0 {
		list = []any{c.make(generate.Items(c.at.schema), false)}
	}
	c.add(bound, "an item twice", append(slices.Clone(list), list[0]))
	c.add(bound, "another item of the same keys", append(slices.Clone(list), c.sameKeys(list[0])))
}

// entrySizes adds objects of the sizes at and beside the bounds: first with required fields, then with other
// declared ones, then with undeclared ones.
func (c *changes) entrySizes() {
	s := c.at.schema
	names := append(slices.Clone(s.Required), slices.Sorted(maps.Keys(s.Properties))...)
	made := func(size int) any {
		object := map[string]any{}
		for _, name := range names {
			if property, declared := s.Properties[name]; declared && len(object) < size {
				object[name] = c.make(&property, false)
			}
		}
		maps.Copy(object, entries(size-len(object), func() any { return c.make(cmp.Or(entryOf(s), &props{Type: "object"}), false) }))
		return object
	}
	c.sizes(mostItems, []size{{"the maximum of entries", s.MaxProperties, 1}, {"the minimum of entries", s.MinProperties, -1}}, made)
}

// entries returns an object with fields that no schema declares.
func entries(size int, value func() any) map[string]any {
	out := map[string]any{}
	for i := range size {
		out[fmt.Sprintf("k%d", i)] = value()
	}
	return out
}

// others adds objects with one more field that no schema declares.
func (c *changes) others() {
	fields, _ := c.at.value.(map[string]any)
	if entry := entryOf(c.at.schema); entry != nil {
		c.add(bound, "one more entry", object.Of("another").Put(fields, c.make(entry, false)))
	} else if c.at.has {
		c.add(spelling, "an unknown field", object.Of("unknownField").Put(fields, "a"))
	}
}
