package infer

import (
	"fmt"
	"maps"
	"slices"
)

// Bounds of the fields that an index may be below.
const (
	mostLimits = 3 // numbers of an item
	mostNamers = 3 // texts beside the index
)

// indices returns the conditions that a number is not below one of the item that a text beside it names: the index of a
// leader, and the replicas of its group. A field that is not set is no limit; an index that is not set may be zero.
func (s *facts) indices(p place) []condition {
	if len(p) == 0 || s.kindOf(p) != whole {
		return nil
	}
	var namers []place
	for _, other := range s.fields {
		if s.kindOf(other) == text && slices.Equal(other.parent(), p.parent()) && len(namers) < mostNamers {
			namers = append(namers, other)
		}
	}
	var all []condition
	for _, named := range s.fields[:min(len(s.fields), mostGuards)] {
		if len(namers) == 0 || s.kindOf(named) != list || s.kindOf(named.below(anyItem)) != object {
			continue
		}
		name, item := s.nameOf(named), s.schemaAt(named.below(anyItem))
		if name == nil || *name == "" {
			continue
		}
		var limits []string
		for _, field := range slices.Sorted(maps.Keys(item.Properties)) {
			if child := item.Properties[field]; kindOf(&child) == whole && len(limits) < mostLimits {
				limits = append(limits, field)
			}
		}
		for _, limit := range limits {
			for _, namer := range namers {
				all = append(all, s.indicesOf(p, namer, named, (*name)[1:], limit)...)
			}
		}
	}
	return all
}

// indicesOf returns the conditions of one limit of the items of a list.
func (s *facts) indicesOf(p, namer, named place, name, limit string) []condition {
	index, by, in := s.refOf(p), s.refOf(namer), s.refOf(named)
	item := s.schemaAt(named.below(anyItem))
	tries := s.indexing(p, namer, named, name, limit)
	some, every := "", ""
	if isOptional(item, limit) {
		some, every = "has(y."+limit+") && ", "!has(y."+limit+") || "
	}
	about := p
	if slices.Equal(s.target, named) {
		about = named
	}
	var all []condition
	add := func(weight int, access string, guards []string) {
		both := ref{guards: unique(guards)}
		for _, is := range [][2]string{{">=", "<"}, {">", "<="}} {
			bad := fmt.Sprintf("%s.exists(y, y.%s == %s && %s%s %s y.%s)", in.access, name, by.access, some, access, is[0], limit)
			good := fmt.Sprintf("%s.all(y, y.%s != %s || %s%s %s y.%s)", in.access, name, by.access, every, access, is[1], limit)
			all = append(all, condition{expr: both.and(bad), rule: both.or(good), weight: weight, about: about, fields: []place{p, namer, named}, tries: tries})
		}
	}
	add(7, index.access, slices.Concat(index.guards, by.guards, in.guards))
	if len(index.guards) > 0 && index.guards[len(index.guards)-1] == "has("+index.access+")" {
		add(8, fmt.Sprintf("(has(%s) ? %s : 0)", index.access, index.access), slices.Concat(by.guards, in.guards))
	}
	return all
}

// unique returns texts without repetitions.
func unique(texts []string) (all []string) {
	for _, text := range texts {
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// indexing returns indices below, at and beyond the limit of the item that is named, beside an item with another limit.
func (s *facts) indexing(p, namer, named place, name, limit string) (all []try) {
	made, ok := s.measuring(named, items, 2)
	like, _ := made.([]any)
	if !ok || len(like) < 2 {
		return nil
	}
	limited := func(first, second any) []any {
		return []any{steps{limit}.set(like[0], first), steps{limit}.set(like[1], second)}
	}
	own, _ := steps{name}.at(like[0])
	for _, n := range []int64{2, 1, 4} {
		for _, list := range [][]any{limited(n, int64(3)), limited(n, absence{}), limited(absence{}, n)} {
			for _, to := range []any{n, n - 1, n + 1, absence{}} {
				all = append(all, try{{field: named, to: list}, {field: namer, to: own}, {field: p, to: to}})
			}
		}
	}
	none := limited(int64(0), int64(3))
	return append(all,
		try{{field: named, to: none}, {field: namer, to: own}, {field: p, to: absence{}}},
		try{{field: named, to: none}, {field: namer, to: "unknown"}, {field: p, to: int64(5)}},
		try{{field: named, to: none}, {field: namer, to: absence{}}, {field: p, to: int64(5)}})
}
