package rules

import (
	"maps"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/object"
)

// references returns the conditions that a field, or an item of a list, is not among the items of
// another list, or the names of its items.
func references(s *Facts, p, other evidence.Place) []Condition {
	if s.KindOf(other) != List || slices.Equal(p, other) {
		return nil
	}
	a, b := s.RefOf(p), s.RefOf(other)
	item := s.SchemaAt(other.Below(evidence.AnyItem))
	if item == nil {
		return nil
	}
	contains := map[string]string{} // by what is named; of the text x
	if KindOf(item) == Text {
		contains["x"] = "x in " + b.Access
	}
	for _, key := range []string{"name", "key", "id"} {
		if child, has := item.Properties[key]; has && KindOf(&child) == Text {
			contains[key] = b.Access + ".exists(y, y." + key + " == x)"
		}
	}
	both := a.with(b)
	var all []Condition
	for _, named := range slices.Sorted(maps.Keys(contains)) {
		for _, use := range uses(s, p) {
			in := contains[named]
			tries := referring(s, p, other, named, use)
			refers := func(in string) string {
				switch use {
				case "self":
					return replaceVariable(in, a.Access)
				case "items":
					return a.Access + ".all(x, " + in + ")"
				}
				return a.Access + ".all(z, " + replaceVariable(in, "z."+use) + ")"
			}
			good := refers(in)
			all = append(all, both.condition(6, Negated(good), good, tries))
			if len(b.Guards) > 0 { // a list that is not set has no items
				some := refers(b.and(in))
				rule := some
				if use == "self" && len(a.Guards) > 0 {
					rule = "(" + some + ")"
				}
				all = append(all, Condition{
					Expr: a.and(Negated(some)), Rule: a.or(rule), Weight: 6, About: p, Fields: []evidence.Place{p, other}, Tries: tries,
				})
			}
			if use == "self" {
				all = append(all, both.condition(7, good, Negated(good), referring(s, p, other, named, use)))
			}
		}
	}
	return all
}

// uses returns how a field may refer to others: as a text itself, by its items, or by texts of its items.
func uses(s *Facts, p evidence.Place) (all []string) {
	switch s.KindOf(p) {
	case Text:
		return []string{"self"}
	case List:
		of := s.SchemaAt(p.Below(evidence.AnyItem))
		if KindOf(of) == Text {
			return []string{"items"}
		}
		if of == nil {
			break
		}
		for _, key := range slices.Sorted(maps.Keys(of.Properties)) {
			lower := strings.ToLower(key)
			if child := of.Properties[key]; KindOf(&child) == Text && (strings.HasSuffix(lower, "name") ||
				strings.HasSuffix(lower, "ref") || key == "key") {
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
func referring(s *Facts, p, other evidence.Place, named, use string) []Try {
	items, ok := Measuring(s, other, Items, 2)
	all, isList := items.([]any)
	if !ok || !isList || len(all) == 0 {
		return nil
	}
	nameOf := func(item any) any {
		if named == "x" {
			return item
		}
		value, _ := object.Of(named).Get(item)
		return value
	}
	name := nameOf(all[0])
	var tries []Try
	for _, to := range []any{name, "unknown"} {
		value := to
		switch use {
		case "self":
		case "items":
			value = []any{to}
		default:
			made := s.made(p.Below(evidence.AnyItem))
			if like, _ := s.value(p).([]any); len(like) > 0 {
				made = like[0]
			}
			value = []any{object.Of(use).Set(made, to)}
		}
		tries = append(tries, Try{{Field: p, To: value}, {Field: other, To: all}},
			Try{{Field: p, To: value}, {Field: other, To: all[1:]}}, Try{{Field: p, To: value}, {Field: other, To: object.Absence{}}})
	}
	return tries
}
