package infer

import (
	"slices"

	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/rules"
)

// subject is a site at one scope, with what the search for its conditions knows.
type subject struct {
	facts *rules.Facts
	// known are the explanations of the same error at other places with the same schema.
	known []*explanation
	// remembered are the hypotheses of an earlier run, as expressions.
	remembered [][]string
	// explained are the samples whose error another scope explains.
	explained map[*evidence.Sample]bool
	// equivalent are expressions and mutants of them between which no made object shows a difference.
	equivalent map[[2]string]bool
	// varied are the other fields that were varied in objects of each hypothesis, by its expression.
	varied map[string]*Varied
	// respelled are the hypotheses whose texts were spelt otherwise.
	respelled map[string]bool
}

// newSubject returns a site at a scope, or nil if the schema has no such scope.
func newSubject(e *evidence.Evidence, of *evidence.Site, at, scope evidence.Place) *subject {
	f := rules.NewFacts(e, of, at, scope)
	if f == nil {
		return nil
	}
	return &subject{facts: f, equivalent: map[[2]string]bool{}, varied: map[string]*Varied{}, respelled: map[string]bool{}}
}

// pathOf returns the path of what an error is about. It returns false if nobody knows it.
func (s *subject) pathOf(r *evidence.Reported) (string, bool) {
	root := s.facts.Evidence.Target.Document.Root
	if len(s.facts.Site.Field.Place) == 0 && len(s.facts.At) > 0 {
		at := evidence.GeneralOf(root, r.LikelyPath)
		return r.LikelyPath.Within(at), !at.Has(s.facts.At) || slices.Equal(at, s.facts.At)
	}
	return s.facts.Site.Mended(root, r.Err.Field, s.facts.At)
}
