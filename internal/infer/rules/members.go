package rules

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// MostMembers bounds the texts that a list may have, or not.
const MostMembers = 6

// members returns the conditions that the user of a request is in a group, or is not, and that a text begins like another user.
func members(s *Facts, p evidence.Place) []Condition {
	if s.Evidence.Requests == nil || len(p) == 0 || p[0] != evidence.FieldRequest {
		return nil
	}
	if s.KindOf(p) == Text {
		return prefixes(s, p)
	}
	if s.KindOf(p) != List || KindOf(s.SchemaAt(p.Below(evidence.AnyItem))) != Text {
		return nil
	}
	r := s.RefOf(p)
	var all []Condition
	for _, value := range memberValues(s, p) {
		is := celexpr.Call(operators.In, celexpr.Literal(value), r.Access)
		tries := []Try{
			{{Field: p, To: []any{value}}},
			{{Field: p, To: []any{value, "other"}}},
			{{Field: p, To: []any{"other"}}},
			{{Field: p, To: []any{}}},
		}
		guess := !slices.Contains(s.Quoted, value) && !strings.Contains(s.Site.First.Detail, value)
		all = append(all,
			r.condition(4, is, celexpr.Not(is), tries).withGuess(guess),
			r.condition(5, celexpr.Not(is), is, tries).withGuess(guess))
	}
	return all
}

// memberValues returns the texts that a list may have: those that the error names, and those that lists have.
func memberValues(s *Facts, p evidence.Place) (all []string) {
	add := func(value string) {
		if value != "" && !slices.Contains(all, value) && len(all) < MostMembers {
			all = append(all, value)
		}
	}
	for _, value := range s.Quoted {
		add(value)
	}
	for _, seen := range s.Seen[p.String()] {
		items, _ := seen.([]any)
		for _, item := range items {
			if value, isText := item.(string); isText {
				add(value)
			}
		}
	}
	return all
}

// prefixes returns the conditions that a text begins like the name of another user, up to a colon, or does not.
func prefixes(s *Facts, p evidence.Place) []Condition {
	r := s.RefOf(p)
	var known []string
	for _, seen := range s.Seen[p.String()] {
		name, _ := seen.(string)
		for n, c := range name {
			if prefix := name[:n+1]; c == ':' && !slices.Contains(known, prefix) && len(known) < MostMembers {
				known = append(known, prefix)
			}
		}
	}
	var all []Condition
	for _, prefix := range known {
		is := celexpr.Method(r.Access, "startsWith", celexpr.Literal(prefix))
		tries := []Try{{{Field: p, To: prefix + "x:y"}}, {{Field: p, To: "x"}}, {{Field: p, To: "x" + prefix}}}
		guess := !strings.Contains(s.Site.First.Detail, prefix)
		all = append(all,
			r.condition(4, is, celexpr.Not(is), tries).withGuess(guess),
			r.condition(4, celexpr.Not(is), is, tries).withGuess(guess))
	}
	return all
}
