package rules

import (
	"strings"

	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// ends returns the conditions about the first item of a list, and about the last one if the error says so: a field of it
// is set, or not, or has one of its values.
func ends(s *Facts, p evidence.Place) []Condition {
	words := evidence.WordsOf(s.Site.First.Detail)
	if s.KindOf(p) != List || len(p) == 0 || len(s.Target) > 0 && !s.Target.Has(p) && !p.Has(s.Target) && !words["first"] &&
		!words["last"] {
		return nil
	}
	if s.KindOf(p.Below(evidence.AnyItem)) != Object {
		return nil
	}
	all := endsAt(s, p, "[0]", 0)
	if words["last"] {
		all = append(all, endsAt(s, p, "["+s.RefOf(p).Access+".size() - 1]", -1)...)
	}
	return all
}

// endsAt returns the conditions about one item of a list: at the index zero or, below zero, the last one.
func endsAt(s *Facts, p evidence.Place, index string, at int) []Condition {
	r := s.RefOf(p)
	inside := inside(s, p)
	empty, some := r.Access+".size() == 0 || ", r.Access+".size() > 0 && "
	if least := s.SchemaAt(p).MinItems; least != nil && *least > 0 {
		empty, some = "", ""
	}
	item := func(expr string) string { return SelfPattern.ReplaceAllLiteralString(expr, r.Access+index) }
	var all []Condition
	for _, field := range inside.Fields {
		for _, c := range append(Presence(inside, field), Equalities(inside, field)...) {
			rule := item(c.Rule)
			if strings.Contains(rule, " && ") && !strings.HasPrefix(rule, "(") {
				rule = "(" + rule + ")"
			}
			one := r.condition(c.Weight+2, some+item(c.Expr), empty+rule, endTries(s, p, c.Tries, at)).withGuess(c.Guess).ofSome()
			one.Leaf = leafOf(s, r, empty+rule, nil)
			all = append(all, one)
		}
	}
	return all
}

// endTries returns changes of a list in which one item is changed: at one end, at the other, or alone.
func endTries(s *Facts, p evidence.Place, tries []Try, at int) []Try {
	made, ok := Measuring(s, p, Items, 2)
	like, _ := made.([]any)
	if !ok || len(like) < 2 {
		return nil
	}
	var all []Try
	for _, one := range tries {
		for n := range like {
			changed := append([]any{}, like...)
			for _, c := range one {
				changed[n] = c.Field.Path().Set(changed[n], c.To)
			}
			all = append(all, Try{{Field: p, To: changed}}, Try{{Field: p, To: []any{changed[n]}}})
		}
	}
	return append(all, Try{{Field: p, To: []any{}}})
}
