package schemadiff

import (
	"maps"
	"strings"

	"github.com/diffrun/diffrun/internal/generate"
)

// How many values are made of those that a rule names: with one of them changed, each in a few
// ways, and with all.
const (
	oneChanged  = 8 // for each path
	allChanged  = 64
	mostFocused = 200
)

// focused gives values in which only that is changed which a rule names. The other rules of an object
// with many go on to hold.
func (t *trial) focused(accept *props) []leaf {
	var all []leaf
	for _, rule := range t.change.rules {
		var choices [][]any
		for _, path := range rule.paths {
			choices = append(choices, t.choices(follow(accept, path), rule.literals))
		}
		set := func(current any, i int) any {
			return at(current, rule.paths[i], choices[i][t.src.IntN(len(choices[i]))])
		}
		for i := range rule.paths {
			for range oneChanged {
				all = append(all, func(current any) any { return set(current, i) })
			}
		}
		for range allChanged {
			if len(rule.paths) < 2 {
				break
			}
			all = append(all, func(current any) any {
				for i := range rule.paths {
					if t.src.IntN(4) > 0 {
						current = set(current, i)
					}
				}
				return current
			})
		}
	}
	return all[:min(len(all), mostFocused)]
}

// choices are values for a field that a rule names: values of its schema, those that the rule names,
// texts and lists of the sizes that it names, and none.
func (t *trial) choices(s *props, literals []any) []any {
	all := []any{absent}
	if s != nil {
		for i := range 4 {
			all = append(all, generate.Value(t.src, s, generate.ObjectOptions{Values: 1 + i}))
		}
	}
	const longest = 300
	for _, literal := range literals {
		all = append(all, literal)
		size, isInt := literal.(int64)
		switch {
		case s == nil || !isInt || size < 0 || size > longest:
		case s.Type == "string":
			all = append(all, strings.Repeat("a", int(size)))
		case s.Type == "array":
			all = append(all, t.list(s, int(size)))
		}
	}
	return all
}

// at gives a value with another one at a path of fields. Where a field above it is missing, it is
// made.
func at(current any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	fields, isObject := current.(map[string]any)
	if !isObject && current != nil {
		return current
	}
	fields = maps.Clone(fields)
	if fields == nil {
		fields = map[string]any{}
	}
	part := at(fields[path[0]], path[1:], value)
	if part == absent {
		delete(fields, path[0])
	} else {
		fields[path[0]] = part
	}
	return fields
}
