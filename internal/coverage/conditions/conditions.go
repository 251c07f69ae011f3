// Package conditions counts what inputs show of the conditions under which hand-written validators make errors. Package
// readings has the conditions, and package decision says what an input shows.
package conditions

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/celexpr/decision"
	"github.com/diffrun/diffrun/internal/coverage"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
	"github.com/diffrun/diffrun/internal/gomodule/read"
	"github.com/diffrun/diffrun/internal/gomodule/readings"
)

// Site is a place that makes an error, with its condition as a goal.
type Site struct {
	*readings.Reading
	explore.Goal
	open []string
}

// Of returns the sites of readings.
func Of(all []*readings.Reading) (sites []*Site) {
	var compiler decision.Compiler
	for _, r := range all {
		site := &Site{Reading: r, Goal: explore.Goal{
			Condition: compiler.Of(r.Condition), OnlyCreates: r.OnlyCreates, OnlyUpdates: r.OnlyUpdates,
		}}
		for _, part := range r.Unread {
			site.open = append(site.open, fmt.Sprintf("%s:%d: %s", part.Pos.Filename, part.Pos.Line, part.Why))
		}
		for _, gate := range r.Settings {
			if gate.On != gate.Default {
				site.open = append(site.open, "it needs the feature gate "+gate.Name+" without its default")
			}
		}
		sites = append(sites, site)
	}
	return sites
}

// Whole reports whether the whole condition is read.
func (s *Site) Whole() bool { return len(s.open) == 0 }

// Confirms reports whether a validator was asked about the input of a result and, if the condition holds, executed the site. A
// counter, which may be nil, has what programs executed.
func (s *Site) Confirms(r *harness.Result, holds bool, counter *errorsites.Counter) bool {
	if r.Unguarded || r.Effect == "" {
		return false
	}
	if counter == nil || len(r.Native.Executed) == 0 {
		return true
	}
	ran, all := counter.Lines(r.Native.Executed)
	return (len(r.Native.Errors) == 0 || len(ran) > 0) && (!holds || ran[s.Source()] || !all[s.Source()])
}

// Report returns the site with what inputs showed of it.
func (s *Site) Report(progress explore.Progress) coverage.ConditionSite {
	made := coverage.ConditionSite{
		At: s.Source(), Error: s.made(),
		Refuses: celexpr.String(s.Reading.Condition), Shown: progress.Held, Open: s.open,
	}
	for _, side := range s.Goal.Condition.Sides() {
		if side.Value {
			made.Atoms = append(made.Atoms, coverage.ConditionAtom{Text: celexpr.String(s.Goal.Condition.Atom(side.Atom))})
		}
		last := &made.Atoms[len(made.Atoms)-1]
		if shown := !slices.Contains(progress.Never, side); side.Value {
			last.True = shown
		} else {
			last.False = shown
		}
	}
	return made
}

// made says what the source says about the error.
func (s *Site) made() string {
	parts := []string{s.Type, s.Field}
	if s.Text != "" {
		parts = append(parts, strconv.Quote(s.Text))
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
}

// Recorder counts what the cases of a target show.
type Recorder struct {
	sites   []*Site
	counter *errorsites.Counter
	mu      sync.Mutex
	shown   []map[decision.Side]bool
}

// NewRecorder returns a recorder of sites. The counter of their program may be nil.
func NewRecorder(sites []*Site, counter *errorsites.Counter) *Recorder {
	r := &Recorder{sites: sites, counter: counter, shown: make([]map[decision.Side]bool, len(sites))}
	for n := range r.shown {
		r.shown[n] = map[decision.Side]bool{}
	}
	return r
}

// Add takes a result.
func (r *Recorder) Add(result *harness.Result) {
	object, isDocument := result.Case.Object.(map[string]any)
	if !isDocument || result.Case.Subresource != "" {
		return
	}
	in := explore.Input{Object: object}
	if in.Old, isDocument = result.Case.Old.(map[string]any); !isDocument && result.Case.Old != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for n, site := range r.sites {
		var sides []decision.Side
		holds, has := site.Show(in, func(side decision.Side) { sides = append(sides, side) })
		if !has || !site.Confirms(result, holds, r.counter) {
			continue
		}
		for _, side := range sides {
			r.shown[n][side] = true
		}
		if holds {
			r.shown[n][decision.Whole] = true
		}
	}
}

// Report returns the sites with what the results showed.
func (r *Recorder) Report() []coverage.ConditionSite {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := []coverage.ConditionSite{}
	for n, site := range r.sites {
		progress := explore.Progress{Held: r.shown[n][decision.Whole]}
		for _, side := range site.Goal.Condition.Sides() {
			if !r.shown[n][side] {
				progress.Never = append(progress.Never, side)
			}
		}
		all = append(all, site.Report(progress))
	}
	return all
}

// Left returns what the source says nothing of, one text each.
func Left(left []read.Unread) (all []string) {
	for _, one := range left {
		all = append(all, fmt.Sprintf("%s:%d: %s", one.Pos.Filename, one.Pos.Line, one.Why))
	}
	return all
}
