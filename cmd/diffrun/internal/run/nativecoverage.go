package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/pflag"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/recorded"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/coverage"
	"github.com/diffrun/diffrun/internal/coverage/nativecoverage"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
	"github.com/diffrun/diffrun/internal/gomodule/gocoverage"
	"github.com/diffrun/diffrun/reports"
)

// goCoverDir is the environment variable that tells programs built with -cover where to write what
// they counted.
const goCoverDir = "GOCOVERDIR"

// NativeFlags are the flags --native and --profile, which count hand-written validators.
type NativeFlags struct {
	Packages, Profiles []string
	// Programs also counts the programs of suites that are built from Go source.
	Programs bool
}

// AddFlags adds the flags. condition precedes the usage of --native.
func (f *NativeFlags) AddFlags(set *pflag.FlagSet, condition string) {
	set.StringSliceVar(&f.Packages, "native", nil, condition+"count hand-written validators in these `packages`, as the go "+
		"command names them")
	set.StringArrayVar(&f.Profiles, "profile", nil, "with --native: a `file` of go test -coverprofile, or a directory of "+
		"GOCOVERDIR; may be repeated")
}

// Check refuses --profile and --from without --native. from are the values of --from.
func (f NativeFlags) Check(from []string) error {
	if len(f.Packages) == 0 && !f.Programs && len(f.Profiles)+len(from) > 0 {
		return errors.New("--profile and --from are about hand-written validators; name their packages with --native")
	}
	return nil
}

// nativeCoverage counts the calls in hand-written validators that make errors. A nil nativeCoverage
// counts nothing.
type nativeCoverage struct {
	*nativecoverage.Recorder
	patterns []string
	sites    []errorsites.Site
	live     *gocoverage.Live // nil: this program was not built with -cover
	profiles int
	// directory is where programs that the run starts write what they counted.
	directory string
}

// find finds the calls that make errors in the packages of --native, and reads the profiles of
// --profile. Without packages it returns nil.
func (f NativeFlags) find(ctx context.Context) (*nativeCoverage, error) {
	if len(f.Packages) == 0 {
		return nil, nil
	}
	sites, err := errorsites.Find(ctx, ".", f.Packages)
	if err != nil {
		return nil, fmt.Errorf("--native: %w", err)
	}
	c := &nativeCoverage{patterns: f.Packages, sites: sites}
	if live, err := gocoverage.NewLive(); err == nil &&
		slices.ContainsFunc(sites, func(s errorsites.Site) bool { return live.Has(s.File) }) {
		c.live = live
	}
	c.Recorder = nativecoverage.NewRecorder(sites, c.live)
	for _, name := range f.Profiles {
		profile, err := gocoverage.ReadProfile(name)
		if err != nil {
			return nil, fmt.Errorf("--profile %s: %w", name, infile.Cause(err))
		}
		c.Profile(profile)
		c.profiles++
	}
	return c, nil
}

// packages returns the packages that have sites.
func (c *nativeCoverage) packages() []string {
	var all []string
	for _, site := range c.sites {
		all = append(all, site.Package)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// begin lets the programs that a run starts write what they count. end removes the files.
func (c *nativeCoverage) begin() (end func(), err error) {
	if c.directory, err = os.MkdirTemp("", "diffrun-coverage-"); err != nil {
		return nil, err
	}
	before, was := os.LookupEnv(goCoverDir)
	if err := os.Setenv(goCoverDir, c.directory); err != nil {
		return nil, err
	}
	return func() {
		_ = os.RemoveAll(c.directory)
		if was {
			_ = os.Setenv(goCoverDir, before)
		} else {
			_ = os.Unsetenv(goCoverDir)
		}
	}, nil
}

// collect reads what the programs of a run counted. It returns an error if the validators of a suite
// counted nothing.
func (c *nativeCoverage) collect(plan *cases.Plan) error {
	profile, err := gocoverage.ReadDirectory(c.directory)
	switch {
	case err == nil:
		c.Profile(profile)
		return nil
	case !errors.Is(err, gocoverage.ErrNoCoverage):
		return err
	}
	patterns := c.patterns[0] + ",MAIN"
	if len(c.patterns) > 1 {
		patterns = c.patterns[0] + ",…,MAIN"
	}
	for _, suite := range plan.Suites {
		if !suite.Linked() && c.profiles == 0 {
			return fmt.Errorf("suite %s: its validator wrote no coverage, so it is unknown what it executes. Build the program "+
				"of an exec validator with \"go build -cover -coverpkg=%s\" and the path of its main package, or name a profile of "+
				"other validators with --profile", suite.Name, patterns)
		}
	}
	return nil
}

// needsCopy reports whether a suite has validators of this program, which was not built to count them.
func (c *nativeCoverage) needsCopy(plan *cases.Plan) bool {
	return c != nil && c.live == nil && c.profiles == 0 && slices.ContainsFunc(plan.Suites, (*cases.Suite).Linked)
}

// RecordedCoverage counts the results of recorded runs, for instance of "go test", whose coverage profile has
// the executed code.
func RecordedCoverage(ctx context.Context, console *terminal.Console, from []string,
	flags NativeFlags) (report coverage.Report, err error) {
	native, err := flags.find(ctx)
	if err != nil {
		return report, err
	}
	inputs := 0
	var narrowed []string
	duplicates := recorded.Duplicates{}
	for _, name := range from {
		files, err := recorded.Files(console, name)
		if err != nil {
			return report, err
		}
		for _, file := range files {
			shard, checksum := "", ""
			if err := recorded.Play(console, file, recorded.Handler{
				Header: func(header reports.Header) { shard = header.Shard },
				Results: func(r harness.Result) error {
					native.Add(&r)
					inputs++
					return nil
				},
				Footer: func(footer reports.Footer) {
					checksum = footer.Checksum
					if footer.Incomplete {
						narrowed = append(narrowed, file+" is incomplete")
					}
					for _, text := range footer.NarrowedTexts(shard) {
						narrowed = append(narrowed, file+": "+text)
					}
				},
			}); err != nil {
				return report, err
			}
			duplicates.Add(console, file, checksum)
		}
	}
	if inputs == 0 {
		return report, terminal.Exitf(terminal.Different, "the recorded runs compare nothing, so nothing is covered")
	}
	recorder := coverage.Recorder{Handwritten: native.Recorder}
	report = recorder.Report()
	report.Narrowed = narrowed
	return report, nil
}
