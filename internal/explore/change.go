package explore

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/object"
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
	to   any    // absence{}: the value is taken out; a func() any makes a large one
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
	c.ofType()
	c.branches()
	return c.found
}

// ofType adds the changes of values of the type of the schema.
func (c *changes) ofType() {
	switch s := c.at.schema; {
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
	return completed(c.src, s, generate.Value(c.src, s, opts))
}

// presence adds the changes that every value has.
func (c *changes) presence() {
	if c.at.has {
		c.add(shape, "taken out", absence{})
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

// texts adds values of a string: those of its keywords, neighbors of the existing value, and common spellings.
func (c *changes) texts() {
	c.enum()
	c.lengths()
	c.notations()
	text, _ := c.at.value.(string)
	if text == "" {
		text, _ = c.make(c.at.schema, false).(string)
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

// integers adds numbers at the bounds, and those at which types and common limits end.
func (c *changes) integers() {
	c.bounds()
	c.enum()
	if c.at.schema.Type == "number" {
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

// fields adds objects with other entries, if keys are not declared. Declared fields are sites of
// their own.
func (c *changes) fields() {
	s := c.at.schema
	fields, _ := c.at.value.(map[string]any)
	if c.at.depth() > 0 && len(s.Properties) > 0 {
		c.add(shape, "only what is required", c.make(s, false))
	}
	if c.at.depth() > 0 {
		c.entrySizes()
		c.others()
		c.members(fields)
	}
	if entry := entryOf(s); entry != nil {
		value := func() any { return c.make(entry, false) }
		c.add(spelling, "257 entries", func() any { return entries(257, value) })
		for i, name := range keySpellings() {
			aim := spelling
			if i < commonKeys {
				aim = bound
			}
			c.add(aim, "key "+name[:min(len(name), 20)], object.Of(name).Put(fields, value()))
		}
	}
}

// members adds objects with each member of a union, besides the fields that are set.
func (c *changes) members(fields map[string]any) {
	if fields == nil {
		fields, _ = c.make(c.at.schema, false).(map[string]any)
	}
	for _, u := range unionsOf(c.at.schema) {
		for _, value := range slices.Sorted(maps.Keys(u.values)) {
			if fields[u.discriminator] == value {
				continue
			}
			object, member := u.chosen(fields, value), u.values[value]
			if _, set := object[member]; !set {
				object[member] = c.make(fieldOf(c.at, member), false)
			}
			c.add(bound, u.discriminator+" "+value, object)
		}
	}
}

// commonKeys is how many key spellings are tried early: most validators of keys refuse one of them.
const commonKeys = 5
