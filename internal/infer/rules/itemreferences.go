package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/object"
)

// itemReferences returns the conditions that an item of a list names what another list does not have, or what this one
// does not have before the item: "dependsOn" of a job names earlier jobs.
func itemReferences(s *Facts, p evidence.Place) []Condition {
	if s.KindOf(p) != List || s.KindOf(p.Below(evidence.AnyItem)) != Object {
		return nil
	}
	var all []Condition
	for _, use := range itemUses(s, p) {
		for _, other := range s.Fields[:min(len(s.Fields), MostGuards)] {
			if name := nameOf(s, other); s.KindOf(other) == List && name != nil {
				all = append(all, itemReferring(s, p, other, use, *name)...)
			}
		}
	}
	return all
}

// itemUse is how an item of a list names others: by a field that is a text, by a list of texts, or by the texts in the
// items of a list.
type itemUse struct {
	field    string
	isList   bool
	key      string // of the items of the field; empty: they are texts
	optional bool
}

// mostUses bounds the fields of an item that may name others.
const mostUses = 4

// itemUses returns how the items of a list may name others: those that the error names first.
func itemUses(s *Facts, p evidence.Place) (all []itemUse) {
	item := s.SchemaAt(p.Below(evidence.AnyItem))
	words := evidence.WordsOf(s.Site.First.Detail)
	own := nameOf(s, p)
	names := slices.Sorted(maps.Keys(item.Properties))
	slices.SortStableFunc(names, func(a, b string) int {
		return BoolRank(evidence.Mentions(words, a)) - BoolRank(evidence.Mentions(words, b))
	})
	for _, name := range names {
		child := item.Properties[name]
		use := itemUse{field: name, optional: isOptional(item, name)}
		switch KindOf(&child) {
		case Text:
			if own != nil && *own == "."+name || len(child.Enum) > 0 {
				continue
			}
		case List:
			key := nameOf(s, p.Below(evidence.AnyItem, name))
			if key == nil {
				continue
			}
			use.isList, use.key = true, strings.TrimPrefix(*key, ".")
		default:
			continue
		}
		if len(all) < mostUses {
			all = append(all, use)
		}
	}
	return all
}

// BoolRank sorts what is true first.
func BoolRank(is bool) int {
	if is {
		return 0
	}
	return 1
}

// itemReferring returns the conditions of one use of one list.
func itemReferring(s *Facts, p, other evidence.Place, use itemUse, name string) []Condition {
	a, b := s.RefOf(p), s.RefOf(other)
	both := a.with(b)
	tries := namingTries(s, p, other, use, name)
	// good returns the rule for the names of an item z, with the items y of the other list that count.
	guard := ""
	good := func(macro, exists string) string {
		in := func(x string) string {
			return fmt.Sprintf("%s%s.%s == %s)", guard, b.Access, strings.Replace(exists, "%", "y"+name, 1), x)
		}
		rule := ""
		switch {
		case !use.isList:
			rule = in("z." + use.field)
		case use.key == "":
			rule = fmt.Sprintf("z.%s.all(x, %s)", use.field, in("x"))
		default:
			rule = fmt.Sprintf("z.%s.all(x, %s)", use.field, in("x."+use.key))
		}
		if use.optional {
			if guard != "" && !use.isList {
				rule = "(" + rule + ")"
			}
			rule = fmt.Sprintf("!has(z.%s) || %s", use.field, rule)
		}
		return fmt.Sprintf("%s.all(%s, %s)", a.Access, macro, rule)
	}
	var all []Condition
	add := func(weight int, good string) {
		c := both.condition(weight, Negated(good), good, tries).ofSome()
		if slices.Equal(p, other) {
			c.Leaf = leafOf(s, a, good, nil)
		}
		all = append(all, c)
	}
	add(7, good("z", "exists(y, %"))
	if len(b.Guards) > 0 && !slices.Equal(p, other) { // a list that is not set has no items
		guard, both.Guards = strings.Join(b.Guards, " && ")+" && ", a.Guards
		add(7, good("z", "exists(y, %"))
	}
	if slices.Equal(p, other) {
		add(7, good("i, z", "exists(j, y, j < i && %"))
		add(7, good("i, z", "exists(j, y, j <= i && %"))
	}
	return all
}

// namingTries returns lists whose items name the first item, the last one, themselves or none.
func namingTries(s *Facts, p, other evidence.Place, use itemUse, name string) []Try {
	made, ok := Measuring(s, p, Items, 3)
	like, _ := made.([]any)
	targets, fine := Measuring(s, other, Items, 2)
	others, _ := targets.([]any)
	if !ok || !fine || len(like) < 3 || len(others) < 2 {
		return nil
	}
	nameOf := func(item any) any {
		if name == "" {
			return item
		}
		value, _ := object.Of(name[1:]).Get(item)
		return value
	}
	naming := func(item any, names ...any) any {
		if !use.isList {
			return object.Of(use.field).Set(item, names[0])
		}
		var list []any
		element := s.made(p.Below(evidence.AnyItem, use.field, evidence.AnyItem))
		for _, one := range names {
			if use.key != "" {
				one = object.Of(use.key).Set(element, one)
			}
			list = append(list, one)
		}
		return object.Of(use.field).Set(item, list)
	}
	for n := range like { // without what they name today
		like[n] = object.Of(use.field).Set(like[n], object.Absence{})
	}
	var all []Try
	add := func(n int, names ...any) {
		changed := slices.Clone(like)
		changed[n] = naming(changed[n], names...)
		one := Try{{Field: p, To: changed}}
		if !slices.Equal(p, other) {
			one = append(one, Change{Field: other, To: others})
		}
		all = append(all, one)
	}
	of := others
	if slices.Equal(p, other) {
		of = like
	}
	for n := range like {
		for _, target := range of {
			add(n, nameOf(target))
		}
		add(n, "unknown")
	}
	add(1, nameOf(of[0]), "unknown")
	if !slices.Equal(p, other) {
		changed := slices.Clone(like)
		changed[0] = naming(changed[0], nameOf(of[0]))
		all = append(all, Try{{Field: p, To: changed}, {Field: other, To: object.Absence{}}})
	}
	return append(all, Try{{Field: p, To: like}})
}
