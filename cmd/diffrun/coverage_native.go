package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/pflag"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/coverage"
	"github.com/diffrun/diffrun/internal/coverage/errorsites"
	"github.com/diffrun/diffrun/internal/coverage/gocoverage"
	"github.com/diffrun/diffrun/internal/coverage/nativecoverage"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/reports"
)

// goCoverDir is the environment variable that tells programs built with -cover where to leave
// what they counted.
const goCoverDir = "GOCOVERDIR"

// nativeFlags are the flags of commands that count hand-written validators.
type nativeFlags struct{ native, profiles []string }

// errProfileAlone says what --profile and --from need.
var errProfileAlone = errors.New("--profile and --from are about hand-written validators; name their packages with --native")

func (f *nativeFlags) add(set *pflag.FlagSet, when string) {
	set.StringSliceVar(&f.native, "native", nil, when+"count hand-written validators in these `packages`, as the go command names them")
	set.StringArrayVar(&f.profiles, "profile", nil, "with --native: a `file` of go test -coverprofile, or a directory of GOCOVERDIR; may be repeated")
}

// nativeCalls are what a command needs to count hand-written validators.
type nativeCalls struct {
	*nativecoverage.Recorder
	patterns []string
	sites    []errorsites.Site
	live     *gocoverage.Live // nil: this program was not built with -cover
	profiles int
	// directory is where programs that the run starts leave what they counted.
	directory string
}

// find finds the calls that make errors in the packages of --native, and reads the profiles of
// --profile. Without packages it gives nil.
func (f nativeFlags) find(ctx context.Context) (*nativeCalls, error) {
	if len(f.native) == 0 {
		return nil, nil
	}
	sites, err := errorsites.Find(ctx, ".", f.native)
	if err != nil {
		return nil, fmt.Errorf("--native: %w", err)
	}
	h := &nativeCalls{patterns: f.native, sites: sites}
	if live, err := gocoverage.NewLive(); err == nil && slices.ContainsFunc(sites, func(s errorsites.Site) bool { return live.Has(s.File) }) {
		h.live = live
	}
	h.Recorder = nativecoverage.NewRecorder(sites, h.live)
	for _, name := range f.profiles {
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

// countNative lets a session count hand-written validators until end is called. Settle, which the
// session calls when all suites have run, ends their programs: then these say what they counted.
func (s *session) countNative(native *nativeCalls, closePlan func() error) (end func(), err error) {
	if native == nil {
		return func() {}, nil
	}
	s.coverage.Handwritten, s.native = native.Recorder, native.Recorder
	s.settle = func() error { return errors.Join(closePlan(), native.collect(s.plan)) }
	return native.begin()
}

// startCounting lets a session count what the schemas do, and the hand-written validators that the
// flags name, until end is called. The error may be that of a copy that has run in place of the
// session.
func (p *program) startCounting(ctx context.Context, s *session, flags nativeFlags, closePlan func() error) (end func(), err error) {
	native, err := flags.find(ctx)
	if err != nil {
		return nil, err
	}
	if native.needsCopy(s.plan) {
		return nil, p.runCopy(ctx, native.packages())
	}
	s.startCoverage()
	return s.countNative(native, closePlan)
}

// settled is what settle gives.
func (s *session) settled() error {
	if s.settle == nil {
		return nil
	}
	return s.settle()
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
	var narrowed []string
	each := copies{}
	for _, name := range from {
		files, err := p.reportsIn(name)
		if err != nil {
			return coverage.Report{}, err
		}
		for _, file := range files {
			shard, checksum := "", ""
			if err := p.play(file, taking{
				header: func(header reports.Header) { shard = header.Shard },
				result: func(r harness.Result) error {
					h.Add(&r)
					inputs++
					return nil
				},
				footer: func(footer reports.Footer) {
					checksum = footer.Checksum
					if footer.Incomplete {
						narrowed = append(narrowed, file+" is incomplete")
					}
					for _, text := range footer.NarrowedTexts(shard) {
						narrowed = append(narrowed, file+": "+text)
					}
				},
			}); err != nil {
				return coverage.Report{}, err
			}
			each.add(p, file, checksum)
		}
	}
	if inputs == 0 {
		return coverage.Report{}, &exitError{statusDifferent, errors.New("the recorded runs compare nothing, so nothing is covered")}
	}
	report := counted.Report()
	report.Narrowed = narrowed
	return report, nil
}
