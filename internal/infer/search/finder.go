package search

import (
	"context"
	"errors"

	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// Finder finds the explanations of the sites of some evidence.
type Finder struct {
	evidence *evidence.Evidence
	// save is called after each site.
	save      func() error
	Explained map[*evidence.Site][]*Explanation
	// Remembered are the hypotheses of an earlier run, as expressions.
	Remembered map[SavedKey][][]string
	// Readings say what became of the readings that were tried.
	Readings map[*evidence.Reading]string
	// said are the sites whose readings explain them, so that no other condition needs to be tried.
	said      map[*evidence.Site]bool
	TimeOver  bool
	Universes map[string]*Universe
	forms     map[string]string // of schemas, by their places
	sliceEnd  context.CancelFunc
}

// NewFinder returns a finder that has found nothing.
func NewFinder(e *evidence.Evidence, save func() error) *Finder {
	return &Finder{
		evidence: e, save: save, Explained: map[*evidence.Site][]*Explanation{}, Remembered: map[SavedKey][][]string{},
		Readings: map[*evidence.Reading]string{}, said: map[*evidence.Site]bool{},
		Universes: map[string]*Universe{}, forms: map[string]string{},
	}
}

// Stopped reports whether the run cannot go on. The end of the time is none: the report says so.
func (f *Finder) Stopped(ctx context.Context, err error) bool {
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		f.TimeOver = true
		return false
	}
	return err != nil
}
