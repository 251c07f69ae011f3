package rules

import (
	"fmt"
	"maps"
	"slices"

	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/object"
)

// Bounds of the fields that an index may be below.
const (
	mostLimits = 3 // numbers of an item
	mostNamers = 3 // texts beside the index
)

// indices returns the conditions that a number is not below one of the item that a text beside it names: the index of a
// leader, and the replicas of its group. A field that is not set is no limit; an index that is not set may be zero.
func indices(s *Facts, p evidence.Place) []Condition {
	if len(p) == 0 || s.KindOf(p) != Whole {
		return nil
	}
	var namers []evidence.Place
	for _, other := range s.Fields {
		if s.KindOf(other) == Text && slices.Equal(other.Parent(), p.Parent()) && len(namers) < mostNamers {
			namers = append(namers, other)
		}
	}
	var all []Condition
	for _, named := range s.Fields[:min(len(s.Fields), MostGuards)] {
		if len(namers) == 0 || s.KindOf(named) != List || s.KindOf(named.Below(evidence.AnyItem)) != Object {
			continue
		}
		name, item := nameOf(s, named), s.SchemaAt(named.Below(evidence.AnyItem))
		if name == nil || *name == "" {
			continue
		}
		var limits []string
		for _, field := range slices.Sorted(maps.Keys(item.Properties)) {
			if child := item.Properties[field]; KindOf(&child) == Whole && len(limits) < mostLimits {
				limits = append(limits, field)
			}
		}
		for _, limit := range limits {
			for _, namer := range namers {
				all = append(all, indicesOf(s, p, namer, named, (*name)[1:], limit)...)
			}
		}
	}
	return all
}

// indicesOf returns the conditions of one limit of the items of a list.
func indicesOf(s *Facts, p, namer, named evidence.Place, name, limit string) []Condition {
	index, by, in := s.RefOf(p), s.RefOf(namer), s.RefOf(named)
	item := s.SchemaAt(named.Below(evidence.AnyItem))
	tries := indexing(s, p, namer, named, name, limit)
	some, every := "", ""
	if isOptional(item, limit) {
		some, every = "has(y."+limit+") && ", "!has(y."+limit+") || "
	}
	about := p
	if slices.Equal(s.Target, named) {
		about = named
	}
	var all []Condition
	add := func(weight int, access string, guards []string) {
		both := ref{Guards: unique(guards)}
		for _, is := range [][2]string{{">=", "<"}, {">", "<="}} {
			bad := fmt.Sprintf("%s.exists(y, y.%s == %s && %s%s %s y.%s)", in.Access, name, by.Access, some, access, is[0], limit)
			good := fmt.Sprintf("%s.all(y, y.%s != %s || %s%s %s y.%s)", in.Access, name, by.Access, every, access, is[1], limit)
			all = append(all, Condition{
				Expr:   both.and(bad),
				Rule:   both.or(good),
				Weight: weight,
				About:  about,
				Fields: []evidence.Place{p, namer, named},
				Tries:  tries,
			})
		}
	}
	add(7, index.Access, slices.Concat(index.Guards, by.Guards, in.Guards))
	if len(index.Guards) > 0 && index.Guards[len(index.Guards)-1] == "has("+index.Access+")" {
		add(8, fmt.Sprintf("(has(%s) ? %s : 0)", index.Access, index.Access), slices.Concat(by.Guards, in.Guards))
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
func indexing(s *Facts, p, namer, named evidence.Place, name, limit string) (all []Try) {
	made, ok := Measuring(s, named, Items, 2)
	like, _ := made.([]any)
	if !ok || len(like) < 2 {
		return nil
	}
	limited := func(first, second any) []any {
		return []any{object.Of(limit).Set(like[0], first), object.Of(limit).Set(like[1], second)}
	}
	own, _ := object.Of(name).Get(like[0])
	for _, n := range []int64{2, 1, 4} {
		for _, list := range [][]any{limited(n, int64(3)), limited(n, object.Absence{}), limited(object.Absence{}, n)} {
			for _, to := range []any{n, n - 1, n + 1, object.Absence{}} {
				all = append(all, Try{{Field: named, To: list}, {Field: namer, To: own}, {Field: p, To: to}})
			}
		}
	}
	none := limited(int64(0), int64(3))
	return append(all,
		Try{{Field: named, To: none}, {Field: namer, To: own}, {Field: p, To: object.Absence{}}},
		Try{{Field: named, To: none}, {Field: namer, To: "unknown"}, {Field: p, To: int64(5)}},
		Try{{Field: named, To: none}, {Field: namer, To: object.Absence{}}, {Field: p, To: int64(5)}})
}
