package infer

import "strings"

// ends returns the conditions about the first item of a list, and about the last one if the error says so: a field of it
// is set, or not, or has one of its values.
func (s *facts) ends(p place) []condition {
	words := wordsOf(s.site.first.Detail)
	if s.kindOf(p) != list || len(p) == 0 || len(s.target) > 0 && !s.target.has(p) && !p.has(s.target) && !words["first"] && !words["last"] {
		return nil
	}
	if s.kindOf(p.below(anyItem)) != object {
		return nil
	}
	all := s.endsAt(p, "[0]", 0)
	if words["last"] {
		all = append(all, s.endsAt(p, "["+s.refOf(p).access+".size() - 1]", -1)...)
	}
	return all
}

// endsAt returns the conditions about one item of a list: at the index zero or, below zero, the last one.
func (s *facts) endsAt(p place, index string, at int) []condition {
	r := s.refOf(p)
	inside := s.inside(p)
	empty, some := r.access+".size() == 0 || ", r.access+".size() > 0 && "
	if least := s.schemaAt(p).MinItems; least != nil && *least > 0 {
		empty, some = "", ""
	}
	item := func(expr string) string { return selfPattern.ReplaceAllLiteralString(expr, r.access+index) }
	var all []condition
	for _, field := range inside.fields {
		for _, c := range append(inside.presence(field), inside.equalities(field)...) {
			rule := item(c.rule)
			if strings.Contains(rule, " && ") && !strings.HasPrefix(rule, "(") {
				rule = "(" + rule + ")"
			}
			one := condition{
				expr: r.and(some + item(c.expr)), rule: r.or(empty + rule),
				weight: c.weight + 2, about: p, fields: []place{p}, tries: s.endTries(p, c.tries, at), guess: c.guess, many: true,
			}
			one.leaf = s.leafOf(r, empty+rule, nil)
			all = append(all, one)
		}
	}
	return all
}

// endTries returns changes of a list in which one item is changed: at one end, at the other, or alone.
func (s *facts) endTries(p place, tries []try, at int) []try {
	made, ok := s.measuring(p, items, 2)
	like, _ := made.([]any)
	if !ok || len(like) < 2 {
		return nil
	}
	var all []try
	for _, one := range tries {
		for n := range like {
			changed := append([]any{}, like...)
			for _, c := range one {
				changed[n] = c.field.names().set(changed[n], c.to)
			}
			all = append(all, try{{field: p, to: changed}}, try{{field: p, to: []any{changed[n]}}})
		}
	}
	return append(all, try{{field: p, to: []any{}}})
}
