package search

import (
	"context"
	"errors"
	"slices"

	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// Finder finds the explanations of the sites of some evidence.
type Finder struct {
	evidence *evidence.Evidence
	// save is called after each site.
	save      func() error
	Explained map[*evidence.Site][]*Explanation
	// Readings say what became of the readings that were tried.
	Readings  map[*evidence.Reading]ReadOutcome
	TimeOver  bool
	Universes map[string]*Universe
	forms     map[string]string // of schemas, by their places
	sliceEnd  context.CancelFunc
}

// NewFinder returns a finder that has found nothing.
func NewFinder(e *evidence.Evidence, save func() error) *Finder {
	return &Finder{
		evidence: e, save: save, Explained: map[*evidence.Site][]*Explanation{},
		Readings:  map[*evidence.Reading]ReadOutcome{},
		Universes: map[string]*Universe{}, forms: map[string]string{},
	}
}

// IsRead reports whether what was read from the source explains all errors of a site.
func (f *Finder) IsRead(of *evidence.Site) bool {
	return isRead(f.Explained[of]) && isComplete(f.Explained[of])
}

// IsUnfinished reports whether the time was over before mutants of the explanation of a site were tried.
func (f *Finder) IsUnfinished(of *evidence.Site) bool {
	return slices.ContainsFunc(f.Explained[of], func(x *Explanation) bool { return x.Unfinished })
}

// Stopped reports whether the run cannot go on. The end of the time is none: the report says so.
func (f *Finder) Stopped(ctx context.Context, err error) bool {
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		f.TimeOver = true
		return false
	}
	return err != nil
}
