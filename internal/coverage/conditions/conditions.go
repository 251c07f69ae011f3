// Package conditions counts what inputs show of the conditions under which hand-written validators make errors. Package
// readings has the conditions, and package decision says what an input shows.
package conditions

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/celexpr/decision"
	"github.com/diffrun/diffrun/internal/coverage"
	"github.com/diffrun/diffrun/internal/explore"
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
	for _, r := range all {
		site := &Site{Reading: r, Goal: explore.Goal{
			Condition: decision.Of(r.Condition), OnlyCreates: r.OnlyCreates, OnlyUpdates: r.OnlyUpdates,
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

// Report returns the site with what inputs showed of it.
func (s *Site) Report(progress explore.Progress) coverage.ConditionSite {
	made := coverage.ConditionSite{
		At: s.Source(), Error: strings.TrimSpace(s.Type + " " + s.Field + " " + quoted(s.Text)),
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

func quoted(text string) string {
	if text == "" {
		return ""
	}
	return fmt.Sprintf("%q", text)
}

// Recorder counts what the cases of a target show.
type Recorder struct {
	sites []*Site
	mu    sync.Mutex
	held  []bool
	shown []map[decision.Side]bool
}

// NewRecorder returns a recorder of sites.
func NewRecorder(sites []*Site) *Recorder {
	r := &Recorder{sites: sites, held: make([]bool, len(sites)), shown: make([]map[decision.Side]bool, len(sites))}
	for n := range r.shown {
		r.shown[n] = map[decision.Side]bool{}
	}
	return r
}

// Add takes a result. An input that no validator was asked about shows nothing.
func (r *Recorder) Add(result *harness.Result) {
	object, isDocument := result.Case.Object.(map[string]any)
	if !isDocument || result.Effect == "" || result.Unguarded || result.Case.Subresource != "" {
		return
	}
	in := explore.Input{Object: object}
	if in.Old, isDocument = result.Case.Old.(map[string]any); !isDocument && result.Case.Old != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for n, site := range r.sites {
		holds, _ := site.Show(in, func(side decision.Side) { r.shown[n][side] = true })
		r.held[n] = r.held[n] || holds
	}
}

// Report returns the sites with what the results showed.
func (r *Recorder) Report() []coverage.ConditionSite {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := []coverage.ConditionSite{}
	for n, site := range r.sites {
		progress := explore.Progress{Held: r.held[n]}
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
