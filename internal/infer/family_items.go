package infer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// lifted returns the conditions that an item of a list of objects is wrong by itself. Most errors are
// at the item; for these see the scope of the items.
func (s *facts) lifted(p place) []condition {
	if s.kindOf(p) != list || s.kindOf(p.below(anyItem)) != object || !s.lifts(p) {
		return nil
	}
	r := s.refOf(p)
	inside := s.inside(p)
	var all []condition
	add := func(parts ...condition) {
		var bad, good []string
		weight := 1
		tries := parts[0].tries
		for _, part := range parts {
			bad, good = append(bad, part.expr), append(good, part.rule)
			weight += part.weight
		}
		if len(parts) > 1 {
			tries = triesOf([]*condition{&parts[0], &parts[1]})
		}
		rule := itemFor(strings.Join(good, " || "))
		c := condition{
			expr: r.and(fmt.Sprintf("%s.exists(item, %s)", r.access, itemFor(strings.Join(bad, " && ")))), rule: r.or(fmt.Sprintf("%s.all(item, %s)", r.access, rule)),
			weight: weight, about: p, fields: []place{p}, tries: s.itemTries(p, tries),
		}
		c.leaf = s.leafOf(r, fmt.Sprintf("%s.all(item, %s)", r.access, rule), nil)
		all = append(all, c)
	}
	var single, guards []condition
	for _, field := range inside.fields {
		for _, m := range measuresOf(inside.kindOf(field)) {
			at := []float64{1}
			for _, n := range inside.textNumbers(inside.kindOf(field)) {
				f, _ := ofValue.of(n)
				at = append(at, f)
			}
			single = append(single, inside.bounds(field, m, at)...)
		}
		guards = append(guards, slices.Concat(inside.presence(field), inside.equalities(field))...)
	}
	if inside.kindOf(inside.target) == text && len(inside.target) > 0 {
		single = append(single, inside.formats(inside.target)...)
	}
	single = append(single, inside.textItems(inside.target)...)
	single = append(single, guards...)
	single = append(single, inside.unions()...)
	for _, c := range single {
		add(c)
	}
	for i, c := range guards[:min(len(guards), 30)] {
		for _, other := range guards[i+1 : min(len(guards), 30)] {
			if !slices.Equal(c.about, other.about) {
				add(c, other)
			}
		}
	}
	return all
}

// lifts reports whether an item of a list may be what is wrong: the error is at the list, or about new objects only, whose
// rules are further out, or has no place and names the list.
func (s *facts) lifts(p place) bool {
	if len(s.target) == 0 {
		return len(p) > 0 && mentions(wordsOf(s.site.first.Detail), p[len(p)-1])
	}
	return slices.Equal(p, s.target) && (s.site.creates || len(s.site.likelyPlaces) > 0 || !strings.Contains(s.site.key.place, p[max(0, len(p)-1):].String()+anyItem))
}

// ownTextItems returns those conditions where no scope of the items says them.
func (s *facts) ownTextItems(p place) []condition {
	if slices.Equal(p, s.target) && (s.site.creates || len(s.site.likelyPlaces) > 0) {
		return s.textItems(p)
	}
	return nil
}

// textItems returns the conditions that an item of a list of texts does not have a form, is none of those that are accepted,
// or is too long.
func (s *facts) textItems(p place) []condition {
	if len(p) == 0 || s.kindOf(p) != list || s.kindOf(p.below(anyItem)) != text {
		return nil
	}
	r := s.refOf(p)
	var all []condition
	for _, c := range s.inside(p).formats(nil) {
		var tries []try
		for _, one := range c.tries {
			tries = append(tries, try{{field: p, to: []any{one[0].to}}})
		}
		some, every := selfPattern.ReplaceAllString(c.expr, "x"), selfPattern.ReplaceAllString(c.rule, "x")
		all = append(all, condition{
			expr: r.and(r.access + ".exists(x, " + some + ")"), rule: r.or(r.access + ".all(x, " + every + ")"), weight: c.weight + 1,
			about: p, fields: []place{p}, tries: tries,
		})
	}
	return all
}

// itemValues returns the conditions that a list has an item whose field has one of its few values, or
// has none.
func (s *facts) itemValues(p place) []condition {
	if s.kindOf(p) != list || s.kindOf(p.below(anyItem)) != object || len(p) == 0 {
		return nil
	}
	r := s.refOf(p)
	inside := s.inside(p)
	var all []condition
	for _, field := range inside.fields {
		for _, value := range inside.comparable(field) {
			text, isText := value.(string)
			if !isText || !inside.suggested(field, value) {
				continue
			}
			is := itemFor(inside.refOf(field).and(inside.refOf(field).access + " == " + quote(text)))
			some := fmt.Sprintf("%s.exists(item, %s)", r.access, is)
			tries := s.itemPairs(p)
			if like := s.made(p.below(anyItem)); like != nil {
				item := field.names().set(like, text)
				tries = append(tries, try{{field: p, to: []any{item}}})
				for _, other := range inside.comparable(field) {
					tries = append(tries, try{{field: p, to: []any{item, field.names().set(like, other)}}})
				}
			}
			all = append(all,
				condition{expr: r.and(some), rule: r.or("!" + some), weight: 5, about: p, fields: []place{p}, tries: tries, leaf: s.leafOf(r, "!"+some, nil), many: true},
				condition{expr: r.and("!" + some), rule: r.or(some), weight: 6, about: p, fields: []place{p}, tries: tries, leaf: s.leafOf(r, some, nil), many: true})
		}
	}
	return all
}

// inside returns the site as if it were about the items of a list.
func (s *facts) inside(p place) *facts {
	item := *s
	item.scope = s.scope.below(p...).below(anyItem)
	item.schema = s.schemaAt(p.below(anyItem))
	item.target, item.fields, item.focus = nil, nil, nil
	if slices.Equal(p, s.target) {
		item.target, item.inner = s.inner.outside()
	}
	item.findFields(s.site.first.Detail)
	item.fields = item.fields[:min(len(item.fields), 8)]
	item.seen = s.valuesAt(item.scope)
	return &item
}

// itemFor replaces self by item.
func itemFor(expr string) string { return selfPattern.ReplaceAllString(expr, "item") }

var selfPattern = regexp.MustCompile(`\bself\b`)

// itemTries returns changes of a list whose first item is changed.
func (s *facts) itemTries(p place, tries []try) []try {
	like, _ := s.value(p).([]any)
	if len(like) == 0 {
		if made := s.made(p.below(anyItem)); made != nil {
			like = []any{made}
		}
	}
	if len(like) == 0 {
		return nil
	}
	var all []try
	for _, one := range tries {
		item := like[0]
		for _, c := range one {
			item = c.field.names().set(item, c.to)
		}
		all = append(all, try{{field: p, to: []any{item}}}, try{{field: p, to: append([]any{item}, like[1:]...)}})
	}
	return all
}

// keysOf returns the conditions that a key of a map does not have a form, or is too long.
func (s *facts) keysOf(p place) []condition {
	if s.kindOf(p) != mapping {
		return nil
	}
	r := s.refOf(p)
	value := s.made(p.below(anyItem))
	var tries []try
	for _, key := range texts() {
		tries = append(tries, try{{field: p, to: map[string]any{key: value}}})
	}
	var all []condition
	add := func(weight int, good string) {
		all = append(all, condition{
			expr: r.and(r.access + ".exists(key, " + negated(good) + ")"), rule: r.or(r.access + ".all(key, " + good + ")"), weight: weight,
			about: p, fields: []place{p}, tries: tries, leaf: s.leafOf(r, r.access+".all(key, "+good+")", nil),
		})
	}
	for _, form := range textFormats() {
		add(form.weight+1, form.of("key"))
	}
	for _, n := range append(s.numbers, "63", "253", "316", "317") {
		add(4, "key.size() <= "+n)
	}
	add(4, "key.size() > 0")
	return all
}
