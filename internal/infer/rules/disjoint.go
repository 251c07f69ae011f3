package rules

import (
	"fmt"
	"slices"

	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/object"
)

// disjoint returns the conditions that two lists have an item, or the names of items, in common.
func disjoint(s *Facts, p, other evidence.Place) []Condition {
	if s.KindOf(p) != List || s.KindOf(other) != List || slices.Equal(p, other) {
		return nil
	}
	a, b := s.RefOf(p), s.RefOf(other)
	both := a.with(b)
	mine, theirs := nameOf(s, p), nameOf(s, other)
	if mine == nil || theirs == nil {
		return nil
	}
	tries := overlapping(s, p, other, *mine, *theirs)
	var all []Condition
	for weight, fold := range []string{"", ".lowerAscii()"} {
		in := fmt.Sprintf("%s.exists(y, y%s%s == x%s%s)", b.Access, *theirs, fold, *mine, fold)
		if *mine == "" && *theirs == "" && fold == "" {
			in = "x in " + b.Access
		}
		good := fmt.Sprintf("!%s.exists(x, %s)", a.Access, in)
		all = append(all, both.condition(6+weight, good[1:], good, tries))
	}
	return all
}

// nameOf returns how to read the text that identifies an item of a list: "" for texts, or ".name"; nil: there is none.
func nameOf(s *Facts, p evidence.Place) *string {
	item := s.SchemaAt(p.Below(evidence.AnyItem))
	if item == nil {
		return nil
	}
	access := ""
	if KindOf(item) == Text {
		return &access
	}
	for _, key := range []string{"name", "key", "id"} {
		if child, has := item.Properties[key]; has && KindOf(&child) == Text && !isOptional(item, key) {
			access = "." + key
			return &access
		}
	}
	return nil
}

// overlapping returns pairs of lists with and without a common name, in one case of letters or the other.
func overlapping(s *Facts, p, other evidence.Place, mine, theirs string) []Try {
	named := func(p evidence.Place, access, name string) (any, bool) {
		if access == "" {
			return name, true
		}
		made, ok := Measuring(s, p, Items, 1)
		list, _ := made.([]any)
		if !ok || len(list) == 0 {
			return nil, false
		}
		return object.Of(access[1:]).Set(list[0], name), true
	}
	var all []Try
	for _, names := range [][2]string{{"a", "a"}, {"a", "b"}, {"a", "A"}} {
		x, okX := named(p, mine, names[0])
		y, okY := named(other, theirs, names[1])
		if okX && okY {
			all = append(all, Try{{Field: p, To: []any{x}}, {Field: other, To: []any{y}}})
		}
	}
	return append(all, Try{{Field: p, To: object.Absence{}}}, Try{{Field: other, To: object.Absence{}}})
}
