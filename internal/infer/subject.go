package infer

import "slices"

// subject is a site at one scope, with what the search for its conditions knows.
type subject struct {
	*facts
	// known are the explanations of the same error at other places with the same schema.
	known []*explanation
	// remembered are the hypotheses of an earlier run, as expressions.
	remembered [][]string
	// explained are the samples whose error another scope explains.
	explained map[*sample]bool
	// equivalent are expressions and mutants of them between which no made object shows a difference.
	equivalent map[[2]string]bool
	// varied are the other fields that were varied in objects of each hypothesis, by its expression.
	varied map[string]*Varied
	// respelled are the hypotheses whose texts were spelt otherwise.
	respelled map[string]bool
}

// newSubject returns a site at a scope, or nil if the schema has no such scope.
func newSubject(e *evidence, of *site, at, scope place) *subject {
	f := newFacts(e, of, at, scope)
	if f == nil {
		return nil
	}
	return &subject{facts: f, equivalent: map[[2]string]bool{}, varied: map[string]*Varied{}, respelled: map[string]bool{}}
}

// pathOf returns the path of what an error is about. It returns false if nobody knows it.
func (s *subject) pathOf(r *reported) (string, bool) {
	root := s.evidence.target.Document.Root
	if len(s.site.field.place) == 0 && len(s.at) > 0 {
		at := generalOf(root, r.likelyPath)
		return r.likelyPath.within(at), !at.has(s.at) || slices.Equal(at, s.at)
	}
	return s.site.mended(root, r.err.Field, s.at)
}
