package search

import (
	"slices"

	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/rules"
)

// Subject is a site at one scope, with what the search for its conditions knows.
type Subject struct {
	Facts *rules.Facts
	// readings are what the source says about the site, if it is explained by them alone.
	readings []*evidence.Reading
	outcomes map[*evidence.Reading]ReadOutcome
	// explained are the samples whose error another scope explains.
	explained map[*evidence.Sample]bool
	// equivalent are expressions and mutants of them for which enough objects were made: if none shows a difference, there is none.
	equivalent map[[2]string]bool
	// Varied are the other fields that were varied in objects of each hypothesis, by its expression.
	Varied map[string]*Varied
	// respelled are the hypotheses whose texts were spelt otherwise.
	respelled map[string]bool
}

// newSubject returns a site at a scope, or nil if the schema has no such scope.
func newSubject(e *evidence.Evidence, of *evidence.Site, at, scope evidence.Place) *Subject {
	f := rules.NewFacts(e, of, at, scope)
	if f == nil {
		return nil
	}
	return &Subject{Facts: f, equivalent: map[[2]string]bool{}, Varied: map[string]*Varied{}, respelled: map[string]bool{}}
}

// pathOf returns the path of what an error is about. It returns false if it is not known.
func (s *Subject) pathOf(r *evidence.Reported) (string, bool) {
	if len(s.Facts.Site.Field.Place) == 0 && len(s.Facts.At) > 0 {
		at := evidence.PlaceOf(r.LikelyPath.General())
		return r.LikelyPath.String(), !at.Has(s.Facts.At) || slices.Equal(at, s.Facts.At)
	}
	return s.Facts.Site.Mended(s.Facts.Evidence.Target.Document.Root, r.Err.Field, s.Facts.At)
}
