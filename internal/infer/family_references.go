package infer

import (
	"maps"
	"slices"
	"strings"
)

// references returns the conditions that a field, or an item of a list, is not among the items of
// another list, or the names of its items.
func (s *facts) references(p, other place) []condition {
	if s.kindOf(other) != list || slices.Equal(p, other) {
		return nil
	}
	a, b := s.refOf(p), s.refOf(other)
	item := s.schemaAt(other.below(anyItem))
	if item == nil {
		return nil
	}
	contains := map[string]string{} // by what is named; of the text x
	if kindOf(item) == text {
		contains["x"] = "x in " + b.access
	}
	for _, key := range []string{"name", "key", "id"} {
		if child, has := item.Properties[key]; has && kindOf(&child) == text {
			contains[key] = b.access + ".exists(y, y." + key + " == x)"
		}
	}
	both := ref{guards: slices.Compact(slices.Concat(a.guards, b.guards))}
	var all []condition
	for _, named := range slices.Sorted(maps.Keys(contains)) {
		for _, use := range s.uses(p) {
			in := contains[named]
			tries := s.referring(p, other, named, use)
			refers := func(in string) string {
				switch use {
				case "self":
					return replaceVariable(in, a.access)
				case "items":
					return a.access + ".all(x, " + in + ")"
				}
				return a.access + ".all(z, " + replaceVariable(in, "z."+use) + ")"
			}
			good := refers(in)
			all = append(all, condition{
				expr: both.and(negated(good)), rule: both.or(good), weight: 6, about: p, fields: []place{p, other}, tries: tries,
			})
			if len(b.guards) > 0 { // a list that is not set has no items
				some := refers(b.and(in))
				rule := some
				if use == "self" && len(a.guards) > 0 {
					rule = "(" + some + ")"
				}
				all = append(all, condition{
					expr: a.and(negated(some)), rule: a.or(rule), weight: 6, about: p, fields: []place{p, other}, tries: tries,
				})
			}
			if use == "self" {
				all = append(all, condition{
					expr: both.and(good), rule: both.or(negated(good)), weight: 7, about: p, fields: []place{p, other}, tries: s.referring(p, other, named, use),
				})
			}
		}
	}
	return all
}

// uses returns how a field may refer to others: as a text itself, by its items, or by texts of its items.
func (s *facts) uses(p place) (all []string) {
	switch s.kindOf(p) {
	case text:
		return []string{"self"}
	case list:
		of := s.schemaAt(p.below(anyItem))
		if kindOf(of) == text {
			return []string{"items"}
		}
		if of == nil {
			break
		}
		for _, key := range slices.Sorted(maps.Keys(of.Properties)) {
			lower := strings.ToLower(key)
			if child := of.Properties[key]; kindOf(&child) == text && (strings.HasSuffix(lower, "name") || strings.HasSuffix(lower, "ref") || key == "key") {
				all = append(all, key)
			}
		}
	}
	return all
}

// replaceVariable replaces the variable x of an expression.
func replaceVariable(expr, by string) string {
	expr = strings.Replace(expr, "x in ", by+" in ", 1)
	return strings.Replace(expr, "== x)", "== "+by+")", 1)
}

// referring returns pairs of a reference and a list that has it, or has not.
func (s *facts) referring(p, other place, named, use string) []try {
	items, ok := s.measuring(other, items, 2)
	all, isList := items.([]any)
	if !ok || !isList || len(all) == 0 {
		return nil
	}
	nameOf := func(item any) any {
		if named == "x" {
			return item
		}
		value, _ := steps{named}.at(item)
		return value
	}
	name := nameOf(all[0])
	var tries []try
	for _, to := range []any{name, "unknown"} {
		value := to
		switch use {
		case "self":
		case "items":
			value = []any{to}
		default:
			made := s.made(p.below(anyItem))
			if like, _ := s.value(p).([]any); len(like) > 0 {
				made = like[0]
			}
			value = []any{steps{use}.set(made, to)}
		}
		tries = append(tries, try{{field: p, to: value}, {field: other, to: all}}, try{{field: p, to: value}, {field: other, to: all[1:]}}, try{{field: p, to: value}, {field: other, to: absence{}}})
	}
	return tries
}
