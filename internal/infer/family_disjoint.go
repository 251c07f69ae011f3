package infer

import (
	"fmt"
	"slices"
)

// disjoint returns the conditions that two lists have an item, or the names of items, in common.
func (s *facts) disjoint(p, other place) []condition {
	if s.kindOf(p) != list || s.kindOf(other) != list || slices.Equal(p, other) {
		return nil
	}
	a, b := s.refOf(p), s.refOf(other)
	both := ref{guards: slices.Compact(slices.Concat(a.guards, b.guards))}
	mine, theirs := s.nameOf(p), s.nameOf(other)
	if mine == nil || theirs == nil {
		return nil
	}
	tries := s.overlapping(p, other, *mine, *theirs)
	var all []condition
	for weight, fold := range []string{"", ".lowerAscii()"} {
		in := fmt.Sprintf("%s.exists(y, y%s%s == x%s%s)", b.access, *theirs, fold, *mine, fold)
		if *mine == "" && *theirs == "" && fold == "" {
			in = "x in " + b.access
		}
		good := fmt.Sprintf("!%s.exists(x, %s)", a.access, in)
		all = append(all, condition{expr: both.and(good[1:]), rule: both.or(good), weight: 6 + weight, about: p, fields: []place{p, other}, tries: tries})
	}
	return all
}

// nameOf returns how to read the text that identifies an item of a list: "" for texts, or ".name"; nil: there is none.
func (s *facts) nameOf(p place) *string {
	item := s.schemaAt(p.below(anyItem))
	if item == nil {
		return nil
	}
	access := ""
	if kindOf(item) == text {
		return &access
	}
	for _, key := range []string{"name", "key", "id"} {
		if child, has := item.Properties[key]; has && kindOf(&child) == text && !isOptional(item, key) {
			access = "." + key
			return &access
		}
	}
	return nil
}

// overlapping returns pairs of lists with and without a common name, in one case of letters or the other.
func (s *facts) overlapping(p, other place, mine, theirs string) []try {
	named := func(p place, access, name string) (any, bool) {
		if access == "" {
			return name, true
		}
		made, ok := s.measuring(p, items, 1)
		list, _ := made.([]any)
		if !ok || len(list) == 0 {
			return nil, false
		}
		return steps{access[1:]}.set(list[0], name), true
	}
	var all []try
	for _, names := range [][2]string{{"a", "a"}, {"a", "b"}, {"a", "A"}} {
		x, okX := named(p, mine, names[0])
		y, okY := named(other, theirs, names[1])
		if okX && okY {
			all = append(all, try{{field: p, to: []any{x}}, {field: other, to: []any{y}}})
		}
	}
	return append(all, try{{field: p, to: absence{}}}, try{{field: other, to: absence{}}})
}
