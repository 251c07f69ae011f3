package infer

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// itemReferences returns the conditions that an item of a list names what another list does not have, or what this one
// does not have before the item: "dependsOn" of a job names earlier jobs.
func (s *facts) itemReferences(p place) []condition {
	if s.kindOf(p) != list || s.kindOf(p.below(anyItem)) != object {
		return nil
	}
	var all []condition
	for _, use := range s.itemUses(p) {
		for _, other := range s.fields[:min(len(s.fields), mostGuards)] {
			if name := s.nameOf(other); s.kindOf(other) == list && name != nil {
				all = append(all, s.itemReferring(p, other, use, *name)...)
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
func (s *facts) itemUses(p place) (all []itemUse) {
	item := s.schemaAt(p.below(anyItem))
	words := wordsOf(s.site.first.Detail)
	own := s.nameOf(p)
	names := slices.Sorted(maps.Keys(item.Properties))
	slices.SortStableFunc(names, func(a, b string) int {
		return boolRank(mentions(words, a)) - boolRank(mentions(words, b))
	})
	for _, name := range names {
		child := item.Properties[name]
		use := itemUse{field: name, optional: isOptional(item, name)}
		switch kindOf(&child) {
		case text:
			if own != nil && *own == "."+name || len(child.Enum) > 0 {
				continue
			}
		case list:
			key := s.nameOf(p.below(anyItem, name))
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

// boolRank sorts what is true first.
func boolRank(is bool) int {
	if is {
		return 0
	}
	return 1
}

// itemReferring returns the conditions of one use of one list.
func (s *facts) itemReferring(p, other place, use itemUse, name string) []condition {
	a, b := s.refOf(p), s.refOf(other)
	both := ref{guards: slices.Compact(slices.Concat(a.guards, b.guards))}
	tries := s.namingTries(p, other, use, name)
	// good returns the rule for the names of an item z, with the items y of the other list that count.
	guard := ""
	good := func(macro, exists string) string {
		in := func(x string) string {
			return fmt.Sprintf("%s%s.%s == %s)", guard, b.access, strings.Replace(exists, "%", "y"+name, 1), x)
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
		return fmt.Sprintf("%s.all(%s, %s)", a.access, macro, rule)
	}
	var all []condition
	add := func(weight int, good string) {
		c := condition{expr: both.and(negated(good)), rule: both.or(good), weight: weight, about: p, fields: []place{p, other}, tries: tries, many: true}
		if slices.Equal(p, other) {
			c.leaf = s.leafOf(a, good, nil)
		}
		all = append(all, c)
	}
	add(7, good("z", "exists(y, %"))
	if len(b.guards) > 0 && !slices.Equal(p, other) { // a list that is not set has no items
		guard, both = strings.Join(b.guards, " && ")+" && ", a
		add(7, good("z", "exists(y, %"))
	}
	if slices.Equal(p, other) {
		add(7, good("i, z", "exists(j, y, j < i && %"))
		add(7, good("i, z", "exists(j, y, j <= i && %"))
	}
	return all
}

// namingTries returns lists whose items name the first item, the last one, themselves or none.
func (s *facts) namingTries(p, other place, use itemUse, name string) []try {
	made, ok := s.measuring(p, items, 3)
	like, _ := made.([]any)
	targets, fine := s.measuring(other, items, 2)
	others, _ := targets.([]any)
	if !ok || !fine || len(like) < 3 || len(others) < 2 {
		return nil
	}
	nameOf := func(item any) any {
		if name == "" {
			return item
		}
		value, _ := steps{name[1:]}.at(item)
		return value
	}
	naming := func(item any, names ...any) any {
		if !use.isList {
			return steps{use.field}.set(item, names[0])
		}
		var list []any
		element := s.made(p.below(anyItem, use.field, anyItem))
		for _, one := range names {
			if use.key != "" {
				one = steps{use.key}.set(element, one)
			}
			list = append(list, one)
		}
		return steps{use.field}.set(item, list)
	}
	for n := range like { // without what they name today
		like[n] = steps{use.field}.set(like[n], absence{})
	}
	var all []try
	add := func(n int, names ...any) {
		changed := slices.Clone(like)
		changed[n] = naming(changed[n], names...)
		one := try{{field: p, to: changed}}
		if !slices.Equal(p, other) {
			one = append(one, change{field: other, to: others})
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
		all = append(all, try{{field: p, to: changed}, {field: other, to: absence{}}})
	}
	return append(all, try{{field: p, to: like}})
}
