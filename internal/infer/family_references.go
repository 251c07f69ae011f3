package infer

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// references returns the conditions that a field, or an item of a list, is not among the items of
// another list, or the names of its items.
func (s *subject) references(p, other place) []condition {
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
			good := ""
			switch use {
			case "self":
				good = replaceVariable(in, a.access)
			case "items":
				good = a.access + ".all(x, " + in + ")"
			default:
				good = a.access + ".all(z, " + replaceVariable(in, "z."+use) + ")"
			}
			all = append(all, condition{
				expr: both.and(negated(good)), rule: both.or(good), weight: 6, about: p, fields: []place{p, other}, tries: s.referring(p, other, named, use),
			})
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
func (s *subject) uses(p place) (all []string) {
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
func (s *subject) referring(p, other place, named, use string) []try {
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
		tries = append(tries, try{{field: p, to: value}, {field: other, to: all}}, try{{field: p, to: value}, {field: other, to: all[1:]}})
	}
	return tries
}

// sums returns the conditions that the sum of two fields, or of the items of a list, is beyond the
// numbers of the text.
func (s *subject) sums(p place) []condition {
	var all []condition
	add := func(r ref, sum string, fields []place, tries []try) {
		for _, n := range s.textNumbers(whole) {
			for _, is := range [][2]string{{">", "<="}, {"<", ">="}, {"!=", "=="}} {
				good := fmt.Sprintf("%s %s %d", sum, is[1], n)
				c := condition{expr: r.and(fmt.Sprintf("%s %s %d", sum, is[0], n)), rule: r.or(good), weight: 6, about: p, fields: fields, tries: tries}
				if len(fields) == 1 {
					c.leaf = s.leafOf(r, good, nil)
				}
				all = append(all, c)
			}
		}
	}
	r := s.refOf(p)
	switch s.kindOf(p) {
	case list:
		item := s.schemaAt(p.below(anyItem))
		if kindOf(item) == whole {
			add(r, r.access+".sum()", []place{p}, s.summing(p, ""))
		}
		if item == nil {
			break
		}
		for _, name := range slices.Sorted(maps.Keys(item.Properties)) {
			if child := item.Properties[name]; kindOf(&child) == whole {
				sum := r.access + ".map(x, x." + name + ").sum()"
				if !slices.Contains(item.Required, name) && child.Default == nil {
					sum = r.access + ".filter(x, has(x." + name + ")).map(x, x." + name + ").sum()"
				}
				add(r, sum, []place{p}, s.summing(p, name))
			}
		}
	case whole:
		for _, other := range s.fields {
			if s.kindOf(other) == whole && other.String() > p.String() && slices.Equal(other.parent(), p.parent()) {
				o := s.refOf(other)
				add(ref{guards: slices.Concat(r.guards, o.guards)}, r.access+" + "+o.access, []place{p, other}, s.summingTwo(p, other))
			}
		}
	}
	return all
}

// summing returns lists whose sum is at and beside the numbers of the text.
func (s *subject) summing(p place, name string) []try {
	var all []try
	for _, number := range s.textNumbers(whole) {
		n := number.(int64)
		for _, by := range []int64{-1, 0, 1} {
			for _, parts := range [][]int64{{n + by}, {(n + by) / 2, n + by - (n+by)/2}} {
				made, ok := s.measuring(p, items, float64(len(parts)))
				values, _ := made.([]any)
				if !ok || len(values) != len(parts) {
					continue
				}
				for i, part := range parts {
					if name == "" {
						values[i] = part
					} else {
						values[i] = steps{name}.set(values[i], part)
					}
				}
				all = append(all, try{{field: p, to: values}})
			}
		}
	}
	return all
}

func (s *subject) summingTwo(p, other place) []try {
	var all []try
	for _, number := range s.textNumbers(whole) {
		n := number.(int64)
		for _, by := range []int64{-1, 0, 1} {
			all = append(all, try{{field: p, to: (n + by) / 2}, {field: other, to: n + by - (n+by)/2}}, try{{field: p, to: n + by}, {field: other, to: int64(0)}})
		}
	}
	return all
}
