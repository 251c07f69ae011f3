package explore

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// aim says what a change is for. Changes with a lower aim are tried first.
type aim uint8

const (
	// read is a value of a field that Options.Rules read.
	read aim = iota
	// opening sets a part that no accepted object had so far.
	opening
	// bound is a value at or beside a bound of the schema.
	bound
	// literal is a value that a rule compares a field with, or one beside it.
	literal
	// joint is a pair of values for the fields of a rule.
	joint
	// shape is a part more, less, twice, empty or in another order.
	shape
	// spelling is one of the values that validators often treat specially.
	spelling
	aims
)

// change is another value of a site.
type change struct {
	aim  aim
	name string // its effect, in all objects
	to   any    // absent: the value is taken out; a func() any makes a large one
	// mode is true if other fields probably depend on the value: it is one of a few named ones.
	mode bool
	// known is true if the value is that of another object.
	known bool
	// opens is true if validators probably accept the value of a missing part.
	opens bool
}

// value returns the value of the change, which is made when it is needed.
func (c *change) value() any {
	if make, is := c.to.(func() any); is {
		c.to = make()
	}
	return c.to
}

// changes collects the changes of a site.
type changes struct {
	src   generate.Source
	at    site
	found []change
}

// changesOf returns the changes of a site. Values that the schema leaves open come from src.
func changesOf(src generate.Source, at site) []change {
	c := &changes{src: src, at: at}
	if at.depth() == 0 {
		c.fields()
		return c.found
	}
	c.presence()
	switch s := at.schema; {
	case s.XIntOrString:
		c.integers()
		c.texts()
	case s.Type == "string":
		c.texts()
	case s.Type == "integer" || s.Type == "number":
		c.integers()
	case s.Type == "boolean":
		c.add(bound, "true", true)
		c.add(bound, "false", false)
	case s.Type == "array":
		c.items()
	case s.Type == "object" || len(s.Properties) > 0:
		c.fields()
	}
	return c.found
}

func (c *changes) add(aim aim, name string, to any) {
	c.found = append(c.found, change{aim: aim, name: name, to: to})
}

// make makes a value for a schema: the least, or a fuller one.
func (c *changes) make(s *props, full bool) any {
	opts := generate.ObjectOptions{Values: 1}
	if full {
		opts = generate.ObjectOptions{Values: 12, Generous: true}
	}
	return generate.Value(c.src, s, opts)
}

// presence adds the changes that every value has.
func (c *changes) presence() {
	if c.at.has {
		c.add(shape, "taken out", absent)
	} else {
		c.found = append(c.found, change{aim: bound, name: "set", to: c.make(c.at.schema, false), opens: true})
		c.add(shape, "set with more", c.make(c.at.schema, true))
	}
	c.add(shape, "null", nil)
	if zero, has := zeroOf(c.at.schema); has {
		c.add(shape, "zero", zero)
	}
	if text, isText := c.at.value.(string); isText && c.at.has {
		c.add(spelling, "another type", int64(len(text)))
	} else if c.at.has {
		c.add(spelling, "another type", "a")
	}
}

// zeroOf returns the empty value of a type.
func zeroOf(s *props) (any, bool) {
	switch s.Type {
	case "string":
		return "", true
	case "integer", "number":
		return int64(0), true
	case "boolean":
		return false, true
	case "array":
		return []any{}, true
	case "object":
		return map[string]any{}, true
	}
	return nil, false
}

// texts adds values of a string: those of the enum, lengths at their bounds, neighbors of the pattern and of
// the existing value, and common spellings.
func (c *changes) texts() {
	s := c.at.schema
	c.enum()
	for _, by := range []int64{-1, 0, 1} {
		c.length("the minimum length", s.MinLength, by)
		c.length("the maximum length", s.MaxLength, by)
	}
	text, _ := c.at.value.(string)
	if text == "" {
		text, _ = c.make(s, false).(string)
	}
	if s.Pattern != "" || s.Format != "" {
		for i := range 4 {
			another, _ := generate.Value(generate.Seeded(uint64(i)), s, generate.ObjectOptions{Values: 1}).(string)
			c.add(bound, fmt.Sprintf("right %d", i), another)
			wrong, _ := generate.Value(generate.Seeded(uint64(i)), s, generate.ObjectOptions{Values: 1, Faults: 1}).(string)
			c.add(bound, fmt.Sprintf("wrong %d", i), wrong)
		}
	}
	for name, near := range neighbors(text) {
		c.add(shape, name, near)
	}
	for _, length := range []int{64, 254, 1100, 33_000} {
		c.add(spelling, fmt.Sprintf("%d characters", length), func() any { return strings.Repeat("a", length) })
	}
	for _, text := range spellings {
		c.add(spelling, text, text)
	}
}

// enum adds each value of an enum, and one that is not in it.
func (c *changes) enum() {
	for _, one := range c.at.schema.Enum {
		var value any
		if json.Unmarshal(one.Raw, &value) == nil {
			c.found = append(c.found, change{aim: bound, name: string(one.Raw), to: value, mode: true, opens: true})
		}
	}
	if len(c.at.schema.Enum) > 0 {
		c.add(bound, "not in the enum", "other")
	}
}

// longest bounds the texts that are made.
const longest = 1 << 17

func (c *changes) length(of string, limit *int64, by int64) {
	if limit == nil || *limit+by < 0 || *limit+by > longest {
		return
	}
	c.add(bound, fmt.Sprintf("%s %+d", of, by), func() any { return sized(c.at.schema, int(*limit+by)) })
	text, _ := c.at.value.(string)
	for i, longer := range lengthened(text, int(*limit+by)) {
		c.add(shape, fmt.Sprintf("%s %+d, longer %d", of, by, i), longer)
	}
}

// integers adds numbers at the bounds, and those at which types and common limits end.
func (c *changes) integers() {
	s := c.at.schema
	for name, limit := range map[string]*float64{"the minimum": s.Minimum, "the maximum": s.Maximum, "multipleOf": s.MultipleOf} {
		for _, by := range []float64{-1, 0, 1} {
			if limit != nil && math.Abs(*limit) < 1<<52 {
				c.add(bound, fmt.Sprintf("%s %+g", name, by), whole(*limit+by))
			}
		}
	}
	slices.SortFunc(c.found, func(a, b change) int { return strings.Compare(a.name, b.name) })
	c.enum()
	if s.Type == "number" {
		c.add(spelling, "a fraction", 0.5)
	}
	if number, isNumber := c.at.value.(int64); isNumber {
		c.add(shape, "one more", number+1)
		c.add(shape, "one less", number-1)
	}
	c.add(shape, "minus one", int64(-1))
	for _, number := range numbers {
		c.add(spelling, fmt.Sprint(number), number)
	}
}

// whole returns a number as documents have it.
func whole(number float64) any {
	if math.Trunc(number) == number {
		return int64(number)
	}
	return number
}

// items adds lists with an item more, less, twice, in another order, and of sizes at the bounds.
func (c *changes) items() {
	s, list := c.at.schema, listOf(c.at.value)
	for name, limit := range map[string]*int64{"the minimum of items": s.MinItems, "the maximum of items": s.MaxItems} {
		for _, by := range []int64{-1, 0, 1} {
			if limit != nil && *limit+by >= 0 && *limit+by <= mostItems {
				c.add(bound, fmt.Sprintf("%s %+d", name, by), func() any { return c.resized(list, int(*limit+by)) })
			}
		}
	}
	slices.SortFunc(c.found, func(a, b change) int { return strings.Compare(a.name, b.name) })
	c.found = append(c.found, change{aim: bound, name: "one item", to: []any{c.make(itemsOf(s), false)}, opens: true})
	if len(list) > 0 {
		c.add(bound, "an item twice", append(slices.Clone(list), list[0]))
		c.add(bound, "another item of the same keys", append(slices.Clone(list), c.sameKeys(list[0])))
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
	if itemsOf(s).Type == "string" {
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
	items := itemsOf(c.at.schema)
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
		out = append(out, numbered(like, c.at.schema.XListMapKeys, len(out)))
	}
	return out
}

// numbered returns an item that differs from others: in its keys, or if the schema names none, in
// its name or its first text or number.
func numbered(like any, keys []string, n int) any {
	switch like := like.(type) {
	case string:
		return fmt.Sprintf("%s%d", like[:min(len(like), 40)], n)
	case int64:
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
				out[key] = numbered(out[key], nil, n)
			}
		}
		return out
	}
	return like
}

// sameKeys returns another item with the keys of an item.
func (c *changes) sameKeys(like any) any {
	made := c.make(itemsOf(c.at.schema), true)
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

// fields adds objects with other entries, if keys are not declared. Declared fields are sites of
// their own.
func (c *changes) fields() {
	s := c.at.schema
	fields, _ := c.at.value.(map[string]any)
	if c.at.depth() > 0 && len(s.Properties) > 0 {
		c.add(shape, "only what is required", c.make(s, false))
	}
	if s.AdditionalProperties == nil || s.AdditionalProperties.Schema == nil {
		if !c.at.has || c.at.depth() == 0 {
			return
		}
		c.add(spelling, "an unknown field", withEntry(fields, "unknownField", "a"))
		return
	}
	value := func() any { return c.make(s.AdditionalProperties.Schema, false) }
	for name, limit := range map[string]*int64{"the minimum of entries": s.MinProperties, "the maximum of entries": s.MaxProperties} {
		for _, by := range []int64{-1, 0, 1} {
			if limit != nil && *limit+by >= 0 && *limit+by <= mostItems {
				c.add(bound, fmt.Sprintf("%s %+d", name, by), func() any { return entries(int(*limit+by), value) })
			}
		}
	}
	slices.SortFunc(c.found, func(a, b change) int { return strings.Compare(a.name, b.name) })
	c.add(bound, "one more entry", withEntry(fields, "another", value()))
	c.add(spelling, "257 entries", func() any { return entries(257, value) })
	for i, name := range keySpellings() {
		aim := spelling
		if i < commonKeys {
			aim = bound
		}
		c.add(aim, "key "+name[:min(len(name), 20)], withEntry(fields, name, value()))
	}
}

// commonKeys is how many key spellings are tried early: most validators of keys refuse one of them.
const commonKeys = 5

func withEntry(fields map[string]any, name string, value any) map[string]any {
	out := maps.Clone(fields)
	if out == nil {
		out = map[string]any{}
	}
	out[name] = value
	return out
}

func entries(size int, value func() any) map[string]any {
	out := map[string]any{}
	for i := range size {
		out[fmt.Sprintf("k%d", i)] = value()
	}
	return out
}
