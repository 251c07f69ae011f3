package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/coverage"
	"github.com/diffrun/diffrun/internal/errorsites"
	"github.com/diffrun/diffrun/internal/gocoverage"
	"github.com/diffrun/diffrun/internal/handwritten"
	"github.com/diffrun/diffrun/internal/infile"
)

// goCoverDir is the environment variable that tells programs built with -cover where to leave
// what they counted.
const goCoverDir = "GOCOVERDIR"

// nativeCalls are what a command needs to count hand-written validators.
type nativeCalls struct {
	*handwritten.Recorder
	patterns []string
	sites    []errorsites.Site
	live     *gocoverage.Live // nil: this program was not built with -cover
	profiles int
	// directory is where programs that the run starts leave what they counted.
	directory string
}

// countNatives finds the calls that make errors in the packages of --native, and reads the
// profiles of --profile. Without packages it gives nil.
func countNatives(ctx context.Context, patterns, profiles []string) (*nativeCalls, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	sites, err := errorsites.Find(ctx, ".", patterns)
	if err != nil {
		return nil, fmt.Errorf("--native: %w", err)
	}
	h := &nativeCalls{patterns: patterns, sites: sites}
	if live, err := gocoverage.NewLive(); err == nil && slices.ContainsFunc(sites, func(s errorsites.Site) bool { return live.Has(s.File) }) {
		h.live = live
	}
	h.Recorder = handwritten.NewRecorder(sites, h.live)
	for _, name := range profiles {
		profile, err := gocoverage.ReadProfile(name)
		if err != nil {
			return nil, fmt.Errorf("--profile %s: %w", name, infile.Cause(err))
		}
		h.Profile(profile)
		h.profiles++
	}
	return h, nil
}

// packages are those that have sites.
func (h *nativeCalls) packages() []string {
	var all []string
	for _, site := range h.sites {
		all = append(all, site.Package)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// begin makes programs that a run starts leave what they count. End removes that again.
func (h *nativeCalls) begin() (end func(), err error) {
	if h.directory, err = os.MkdirTemp("", "diffrun-coverage-"); err != nil {
		return nil, err
	}
	before, was := os.LookupEnv(goCoverDir)
	if err := os.Setenv(goCoverDir, h.directory); err != nil {
		return nil, err
	}
	return func() {
		_ = os.RemoveAll(h.directory)
		if was {
			_ = os.Setenv(goCoverDir, before)
		} else {
			_ = os.Unsetenv(goCoverDir)
		}
	}, nil
}

// collect reads what the programs of a run left. The error says that nobody counted what the
// validators of a suite execute.
func (h *nativeCalls) collect(plan *cases.Plan) error {
	profile, err := gocoverage.ReadDirectory(h.directory)
	switch {
	case err == nil:
		h.Profile(profile)
		return nil
	case !errors.Is(err, gocoverage.ErrNoCoverage):
		return err
	}
	for _, suite := range plan.Suites {
		if !suite.Linked() && h.profiles == 0 {
			return fmt.Errorf("suite %s: its validator left no coverage, so nobody knows what it executes. Build the program of an exec validator with \"go build -cover -coverpkg=%s\" and the path of its main package, or name a profile of other validators with --profile", suite.Name, firstOf(h.patterns))
		}
	}
	return nil
}

func firstOf(patterns []string) string {
	if len(patterns) == 1 {
		return patterns[0] + ",MAIN"
	}
	return patterns[0] + ",…,MAIN"
}

// needsCopy says whether a suite has validators of this program, which was not built to count
// them.
func (h *nativeCalls) needsCopy(plan *cases.Plan) bool {
	return h != nil && h.live == nil && h.profiles == 0 && slices.ContainsFunc(plan.Suites, (*cases.Suite).Linked)
}

// countRecorded counts the results of recorded runs: of "go test" for instance, which only
// writes down what ran over all.
func (p *program) countRecorded(from []string, h *nativeCalls) (coverage.Report, error) {
	counted := coverage.Recorder{Handwritten: h.Recorder}
	inputs := 0
	for _, name := range from {
		files, err := p.reportsIn(name)
		if err != nil {
			return coverage.Report{}, err
		}
		for _, file := range files {
			if err := p.play(file, taking{result: func(r harness.Result) error {
				h.Add(&r)
				inputs++
				return nil
			}}); err != nil {
				return coverage.Report{}, err
			}
		}
	}
	if inputs == 0 {
		return coverage.Report{}, &exitError{statusDifferent, errors.New("the recorded runs compare nothing, so nothing is covered")}
	}
	return counted.Report(), nil
}
