package diff

import (
	"maps"
	"strings"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// mostFocused is the maximum number of values in which only the fields of a rule change.
const mostFocused = 200

// focused returns values in which only fields of a rule are changed, so that the other rules of the
// object still hold.
func (t *trial) focused(accept *props) []leaf {
	var all []leaf
	for _, rule := range t.change.rules {
		var choices [][]any
		combinations := 1
		for _, path := range rule.paths {
			some := t.choices(follow(accept, path), rule.literals)
			choices = append(choices, some)
			combinations = min(combinations*len(some), mostFocused+1)
		}
		if len(choices) == 0 {
			continue
		}
		for n := range min(combinations, mostFocused) {
			all = append(all, func(current any) any {
				for i, path := range rule.paths {
					pick := n % len(choices[i])
					if n /= len(choices[i]); combinations > mostFocused { // too many to try all
						pick = t.src.IntN(len(choices[i]))
					}
					current = at(current, path, choices[i][pick])
				}
				return current
			})
		}
	}
	return all
}

// choices returns values for a field that a rule names: values of its schema, literals of the rule,
// strings and lists of the sizes in the rule, and no value.
func (t *trial) choices(s *props, literals []any) []any {
	all := []any{absent}
	if s != nil {
		for i := range 4 {
			all = append(all, generate.Value(t.src, s, generate.ObjectOptions{Values: 1 + i}))
		}
	}
	const longest = 300
	for _, literal := range literals {
		if s == nil || fits(s.Type, literal) {
			all = append(all, literal)
		}
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

// fits reports whether a literal is of a type.
func fits(typ string, literal any) bool {
	switch literal.(type) {
	case string:
		return typ == "string" || typ == ""
	case bool:
		return typ == "boolean"
	case int64:
		return typ == "integer" || typ == "number" || typ == ""
	}
	return typ == "number"
}

// at returns a value with a changed value at a path of fields. It adds missing fields.
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
