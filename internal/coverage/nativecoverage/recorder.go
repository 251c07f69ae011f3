package nativecoverage

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/coverage"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
	"github.com/diffrun/diffrun/internal/gomodule/gocoverage"
)

// Recorder counts for each site whether it ran, and the outcomes of its errors.
//
// If the running program was built with -cover, its validators are counted for each input (Watch),
// so the recorder knows which sites ran for an error. For other validators a profile tells
// afterwards what ran (Profile), and an error counts for a site if no other site fits it.
type Recorder struct {
	sites []errorsites.Site
	// live counts the running program; nil: it was not built with -cover.
	live *gocoverage.Live
	// inBlock are the sites in each block that live counts.
	inBlock map[int][]int
	// turn has an element while the counters are in use.
	turn chan struct{}

	mu       sync.Mutex
	counts   []coverage.SiteCounts
	made     map[*field.Error]int // sites of errors whose results have not come yet
	unplaced map[errorText]*unplaced
	order    []*unplaced
	profiles []*gocoverage.Profile
}

// errorText identifies equal errors of a validator.
type errorText struct {
	errorType     field.ErrorType
	field, detail string
}

func textOf(err *field.Error) errorText { return errorText{err.Type, err.Field, err.Detail} }

// unplaced is an error whose site is unknown until all profiles are read.
type unplaced struct {
	err    *field.Error
	counts coverage.SiteCounts
}

// NewRecorder returns a recorder of sites. live is nil if the running program was not built with
// -cover.
func NewRecorder(sites []errorsites.Site, live *gocoverage.Live) *Recorder {
	h := &Recorder{
		sites: sites, live: live, counts: make([]coverage.SiteCounts, len(sites)), inBlock: map[int][]int{},
		turn: make(chan struct{}, 1), made: map[*field.Error]int{}, unplaced: map[errorText]*unplaced{},
	}
	if live == nil {
		return h
	}
	for i := range sites {
		at := gocoverage.Position{Line: sites[i].Line, Column: sites[i].Column}
		if block, found := live.Find(sites[i].File, at); found {
			h.inBlock[block] = append(h.inBlock[block], i)
		}
	}
	return h
}

// Profile adds the coverage of validators outside of the running program.
func (h *Recorder) Profile(p *gocoverage.Profile) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.profiles = append(h.profiles, p)
}

// Watch returns the backend with its code counted.
func (h *Recorder) Watch(backend harness.Backend) harness.Backend {
	if h == nil || len(h.inBlock) == 0 {
		return backend
	}
	return watched{backend, h}
}

// watched is a native backend whose code is counted.
type watched struct {
	harness.Backend
	by *Recorder
}

// Capabilities implements contract.Capable.
func (w watched) Capabilities() contract.Capabilities { return contract.CapabilitiesOf(w.Backend) }

// Validate asks the backend while no other backend runs. It does not count repetitions and
// requests on stored objects.
func (w watched) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	select {
	case w.by.turn <- struct{}{}:
	case <-ctx.Done():
		return w.Backend.Validate(ctx, in)
	}
	leave := sync.OnceFunc(func() { <-w.by.turn })
	defer leave()
	defer context.AfterFunc(ctx, leave)() // a backend that hangs must not block the others
	if err := w.by.live.Clear(); err != nil {
		return nil, err
	}
	errs, err := w.Backend.Validate(ctx, in)
	if err != nil || ctx.Err() != nil || in.Order != 0 || in.Stored != "" {
		return errs, err
	}
	return errs, w.by.validated(errs)
}

// validated records what ran for an input, and which sites made its errors.
func (h *Recorder) validated(errs field.ErrorList) error {
	ran := map[int]int{}
	if err := h.live.Read(func(block int, times uint64) {
		for _, site := range h.inBlock[block] {
			ran[site] += int(times)
		}
	}); err != nil {
		return err
	}
	made := errorsites.Assign(h.sites, ran, errs)
	h.mu.Lock()
	defer h.mu.Unlock()
	for site := range ran {
		h.counts[site].Executed = true
	}
	for i, err := range errs {
		if made[i] != errorsites.NoSite {
			h.made[err] = made[i]
		}
	}
	return nil
}

// Add counts a result, in which equal errors share a pair.
func (h *Recorder) Add(result *harness.Result) {
	errs := result.Native.Given
	if errs == nil {
		errs = result.Native.Errors // a recorded result has no others
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(errs) == 0 {
		return
	}
	became, sameText := map[*field.Error]coverage.SiteCounts{}, map[errorText]coverage.SiteCounts{}
	for _, pair := range result.Pairs {
		if pair.Native != nil {
			became[pair.Native], sameText[textOf(pair.Native)] = becameOf(pair), becameOf(pair)
		}
	}
	for _, err := range errs {
		counts, paired := became[err]
		if !paired {
			counts = sameText[textOf(err)]
		}
		counts.Executed, counts.Seen = true, 1
		site, placed := h.made[err]
		delete(h.made, err)
		if placed {
			h.counts[site].Add(counts)
			continue
		}
		u := h.unplaced[textOf(err)]
		if u == nil {
			u = &unplaced{err: err}
			h.unplaced[textOf(err)] = u
			h.order = append(h.order, u)
		}
		u.counts.Add(counts)
	}
}

func becameOf(pair equivalence.Pair) coverage.SiteCounts {
	if pair.Agrees() {
		return coverage.SiteCounts{Matched: 1}
	}
	return coverage.SiteCounts{Differs: 1}
}

// Sites returns the counts of all sites.
func (h *Recorder) Sites() *coverage.Sites {
	h.mu.Lock()
	defer h.mu.Unlock()
	counts := append([]coverage.SiteCounts(nil), h.counts...)
	outside := make([]bool, len(h.sites)) // ran by a profile
	for i := range h.sites {
		at := gocoverage.Position{Line: h.sites[i].Line, Column: h.sites[i].Column}
		for _, profile := range h.profiles {
			ran, _ := profile.Ran(h.sites[i].File, at)
			outside[i] = outside[i] || ran
		}
		counts[i].Executed = counts[i].Executed || outside[i]
	}
	all := &coverage.Sites{}
	for _, u := range h.order {
		switch fitting := errorsites.Likeliest(h.sites, func(site int) bool { return outside[site] }, u.err); len(fitting) {
		case 0:
			all.Elsewhere += u.counts.Seen
		case 1:
			counts[fitting[0]].Add(u.counts)
		default:
			all.Ambiguous += u.counts.Seen
		}
	}
	for i, site := range h.sites {
		if n := len(all.Packages); n == 0 || all.Packages[n-1].Path != site.Package {
			all.Packages = append(all.Packages, coverage.SitePackage{Path: site.Package})
		}
		of := &all.Packages[len(all.Packages)-1]
		of.Sites = append(of.Sites, coverage.Site{File: site.File, Line: site.Line, Name: site.Name, SiteCounts: counts[i]})
	}
	return all
}
