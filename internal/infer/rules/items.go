package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// lifted returns the conditions that an item of a list of objects is wrong by itself. Most errors are
// at the item; for these see the scope of the items.
func lifted(s *Facts, p evidence.Place) []Condition {
	if s.KindOf(p) != List || s.KindOf(p.Below(evidence.AnyItem)) != Object || !lifts(s, p) {
		return nil
	}
	r := s.RefOf(p)
	inside := inside(s, p)
	var all []Condition
	add := func(parts ...Condition) {
		var bad, good []string
		weight := 1
		tries := parts[0].Tries
		for _, part := range parts {
			bad, good = append(bad, part.Expr), append(good, part.Rule)
			weight += part.Weight
		}
		if len(parts) > 1 {
			tries = TriesOf([]*Condition{&parts[0], &parts[1]})
		}
		rule := itemFor(strings.Join(good, " || "))
		c := r.condition(weight, fmt.Sprintf("%s.exists(item, %s)", r.Access, itemFor(strings.Join(bad, " && "))),
			fmt.Sprintf("%s.all(item, %s)", r.Access, rule), itemTries(s, p, tries))
		c.Leaf = leafOf(s, r, fmt.Sprintf("%s.all(item, %s)", r.Access, rule), nil)
		all = append(all, c)
	}
	var single, guards []Condition
	for _, field := range inside.Fields {
		for _, m := range MeasuresOf(inside.KindOf(field)) {
			at := []float64{1}
			for _, n := range inside.TextNumbers(inside.KindOf(field)) {
				f, _ := OfValue.Of(n)
				at = append(at, f)
			}
			single = append(single, Bounds(inside, field, m, at)...)
		}
		guards = append(guards, slices.Concat(Presence(inside, field), Equalities(inside, field))...)
	}
	if inside.KindOf(inside.Target) == Text && len(inside.Target) > 0 {
		single = append(single, formats(inside, inside.Target)...)
	}
	single = append(single, textItems(inside, inside.Target)...)
	single = append(single, guards...)
	single = append(single, unions(inside)...)
	for _, c := range single {
		add(c)
	}
	for i, c := range guards[:min(len(guards), 30)] {
		for _, other := range guards[i+1 : min(len(guards), 30)] {
			if !slices.Equal(c.About, other.About) {
				add(c, other)
			}
		}
	}
	return all
}

// lifts reports whether an item of a list may be what is wrong: the error is at the list, or about new objects only, whose
// rules are further out, or has no place and names the list.
func lifts(s *Facts, p evidence.Place) bool {
	if len(s.Target) == 0 {
		return len(p) > 0 && evidence.Mentions(evidence.WordsOf(s.Site.First.Detail), p[len(p)-1])
	}
	return slices.Equal(p, s.Target) && (s.Site.Creates || len(s.Site.LikelyPlaces) > 0 ||
		!strings.Contains(s.Site.Key.Place, p[max(0, len(p)-1):].String()+evidence.AnyItem))
}

// ownTextItems returns those conditions where no scope of the items says them.
func ownTextItems(s *Facts, p evidence.Place) []Condition {
	if slices.Equal(p, s.Target) && (s.Site.Creates || len(s.Site.LikelyPlaces) > 0) {
		return textItems(s, p)
	}
	return nil
}

// textItems returns the conditions that an item of a list of texts does not have a form, is none of those that are accepted,
// or is too long.
func textItems(s *Facts, p evidence.Place) []Condition {
	if len(p) == 0 || s.KindOf(p) != List || s.KindOf(p.Below(evidence.AnyItem)) != Text {
		return nil
	}
	r := s.RefOf(p)
	var all []Condition
	for _, c := range formats(inside(s, p), nil) {
		var tries []Try
		for _, one := range c.Tries {
			tries = append(tries, Try{{Field: p, To: []any{one[0].To}}})
		}
		some, every := SelfPattern.ReplaceAllString(c.Expr, "x"), SelfPattern.ReplaceAllString(c.Rule, "x")
		all = append(all, r.condition(c.Weight+1, r.Access+".exists(x, "+some+")", r.Access+".all(x, "+every+")", tries))
	}
	return all
}

// itemValues returns the conditions that a list has an item whose field has one of its few values, or
// has none.
func itemValues(s *Facts, p evidence.Place) []Condition {
	if s.KindOf(p) != List || s.KindOf(p.Below(evidence.AnyItem)) != Object || len(p) == 0 {
		return nil
	}
	r := s.RefOf(p)
	inside := inside(s, p)
	var all []Condition
	for _, field := range inside.Fields {
		for _, value := range comparable(inside, field) {
			text, isText := value.(string)
			if !isText || !suggested(inside, field, value) {
				continue
			}
			is := itemFor(inside.RefOf(field).and(inside.RefOf(field).Access + " == " + celexpr.Quote(text)))
			some := fmt.Sprintf("%s.exists(item, %s)", r.Access, is)
			tries := itemPairs(s, p)
			if like := s.made(p.Below(evidence.AnyItem)); like != nil {
				item := field.Path().Set(like, text)
				tries = append(tries, Try{{Field: p, To: []any{item}}})
				for _, other := range comparable(inside, field) {
					tries = append(tries, Try{{Field: p, To: []any{item, field.Path().Set(like, other)}}})
				}
			}
			all = append(all,
				r.condition(5, some, "!"+some, tries).withLeaf(leafOf(s, r, "!"+some, nil)).ofSome(),
				r.condition(6, "!"+some, some, tries).withLeaf(leafOf(s, r, some, nil)).ofSome())
		}
	}
	return all
}

// inside returns the site as if it were about the items of a list.
func inside(s *Facts, p evidence.Place) *Facts {
	item := *s
	item.Scope = s.Scope.Below(p...).Below(evidence.AnyItem)
	item.Schema = s.SchemaAt(p.Below(evidence.AnyItem))
	item.Target, item.Fields, item.Focus = nil, nil, nil
	if slices.Equal(p, s.Target) {
		item.Target, item.inner = s.inner.Outside()
	}
	item.findFields(s.Site.First.Detail)
	item.Fields = item.Fields[:min(len(item.Fields), 8)]
	item.Seen = s.Evidence.ValuesAt(item.Scope)
	return &item
}

// itemFor replaces self by item.
func itemFor(expr string) string { return SelfPattern.ReplaceAllString(expr, "item") }

var SelfPattern = regexp.MustCompile(`\bself\b`)

// itemTries returns changes of a list whose first item is changed.
func itemTries(s *Facts, p evidence.Place, tries []Try) []Try {
	like, _ := s.value(p).([]any)
	if len(like) == 0 {
		if made := s.made(p.Below(evidence.AnyItem)); made != nil {
			like = []any{made}
		}
	}
	if len(like) == 0 {
		return nil
	}
	var all []Try
	for _, one := range tries {
		item := like[0]
		for _, c := range one {
			item = c.Field.Path().Set(item, c.To)
		}
		all = append(all, Try{{Field: p, To: []any{item}}}, Try{{Field: p, To: append([]any{item}, like[1:]...)}})
	}
	return all
}

// keysOf returns the conditions that a key of a map does not have a form, or is too long.
func keysOf(s *Facts, p evidence.Place) []Condition {
	if s.KindOf(p) != Mapping {
		return nil
	}
	r := s.RefOf(p)
	value := s.made(p.Below(evidence.AnyItem))
	var tries []Try
	for _, key := range texts() {
		tries = append(tries, Try{{Field: p, To: map[string]any{key: value}}})
	}
	var all []Condition
	add := func(weight int, good string) {
		all = append(all, r.condition(weight, r.Access+".exists(key, "+Negated(good)+")", r.Access+".all(key, "+good+")",
			tries).withLeaf(leafOf(s, r, r.Access+".all(key, "+good+")", nil)))
	}
	for _, form := range TextFormats() {
		add(form.weight+1, form.Of("key"))
	}
	for _, n := range append(s.Numbers, "63", "253", "316", "317") {
		add(4, "key.size() <= "+n)
	}
	add(4, "key.size() > 0")
	return all
}
