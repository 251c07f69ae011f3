package infer

import (
	"slices"
	"strings"
)

// mostMembers bounds the texts that a list may have, or not.
const mostMembers = 6

// members returns the conditions that a list of texts has one that the error or the objects name, or has not; and, for the
// user of a request, that a text begins like another user.
func (s *facts) members(p place) []condition {
	if s.requests != nil && s.kindOf(p) == text && len(p) > 0 && p[0] == fieldRequest {
		return s.prefixes(p)
	}
	if s.kindOf(p) != list || kindOf(s.schemaAt(p.below(anyItem))) != text || len(p) == 0 {
		return nil
	}
	r := s.refOf(p)
	var all []condition
	for _, value := range s.memberValues(p) {
		is := quote(value) + " in " + r.access
		tries := []try{{{field: p, to: []any{value}}}, {{field: p, to: []any{value, "other"}}}, {{field: p, to: []any{"other"}}}, {{field: p, to: []any{}}}}
		guess := !slices.Contains(s.quoted, value) && !strings.Contains(s.site.first.Detail, value)
		all = append(all,
			condition{expr: r.and(is), rule: r.or(negated(is)), weight: 4, about: p, fields: []place{p}, tries: tries, guess: guess, many: true},
			condition{expr: r.and(negated(is)), rule: r.or(is), weight: 5, about: p, fields: []place{p}, tries: tries, guess: guess, many: true})
	}
	return all
}

// requestMembers returns those conditions about a request, on which others may depend.
func (s *facts) requestMembers(p place) []condition {
	if s.requests == nil {
		return nil
	}
	return s.members(p)
}

// memberValues returns the texts that a list may have: those that the error names and, of a request, those that lists have.
func (s *facts) memberValues(p place) (all []string) {
	add := func(value string) {
		if value != "" && !slices.Contains(all, value) && len(all) < mostMembers {
			all = append(all, value)
		}
	}
	for _, value := range s.quoted {
		add(value)
	}
	if s.requests == nil {
		return all
	}
	for _, seen := range s.seen[p.String()] {
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
func (s *facts) prefixes(p place) []condition {
	r := s.refOf(p)
	var known []string
	for _, seen := range s.seen[p.String()] {
		name, _ := seen.(string)
		for n, c := range name {
			if prefix := name[:n+1]; c == ':' && !slices.Contains(known, prefix) && len(known) < mostMembers {
				known = append(known, prefix)
			}
		}
	}
	var all []condition
	for _, prefix := range known {
		is := r.access + ".startsWith(" + quote(prefix) + ")"
		tries := []try{{{field: p, to: prefix + "x:y"}}, {{field: p, to: "x"}}, {{field: p, to: "x" + prefix}}}
		guess := !strings.Contains(s.site.first.Detail, prefix)
		all = append(all,
			condition{expr: r.and(is), rule: r.or("!" + is), weight: 4, about: p, fields: []place{p}, tries: tries, guess: guess},
			condition{expr: r.and("!" + is), rule: r.or(is), weight: 4, about: p, fields: []place{p}, tries: tries, guess: guess})
	}
	return all
}
