package run

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/coverage"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
	"github.com/diffrun/diffrun/reports/record"
)

// caseCoverage measures what the cases of a session reach. A nil caseCoverage measures nothing.
type caseCoverage struct {
	recorder *coverage.Recorder
	native   *nativeCoverage // nil: hand-written validators are not counted
	// conditions are those of hand-written validators; nil: they are not counted.
	conditions *conditionCoverage
	missing    *missingCases // nil: no missing cases are made
}

// measureCoverage lets a session measure coverage until end is called. The error may be that of a
// copy of the program that ran in its place.
func (s *session) measureCoverage(ctx context.Context, flags NativeFlags) (end func(), err error) {
	native, err := flags.find(ctx)
	if err != nil {
		return nil, err
	}
	if native.needsCopy(s.plan) {
		return nil, s.env.runCopy(ctx, native.packages())
	}
	s.coverage = &caseCoverage{recorder: &coverage.Recorder{}, native: native}
	for _, suite := range s.plan.Suites {
		native, declarative := suite.Guards()
		s.coverage.recorder.Guards(suite.Of(), native, declarative)
		if suite.HasBuiltInWorlds() {
			continue
		}
		for _, version := range suite.Versions() {
			s.coverage.recorder.Expect(suite.Of(), version)
		}
	}
	if native == nil {
		return func() {}, nil
	}
	s.coverage.recorder.Handwritten = native.Recorder
	return native.begin()
}

// setOptions lets the jobs of a suite count what its schemas do.
func (c *caseCoverage) setOptions(suite *cases.Suite, options *cases.JobOptions) {
	if c == nil {
		return
	}
	options.Coverage = func(version schema.GroupVersionKind, subresources []string) *tally.Coverage {
		return c.recorder.Of(suite.Of(), version, subresources)
	}
	if c.native != nil {
		options.Native = c.native.Watch
	}
	options.Schemas = c.missing != nil
}

// record counts a result.
func (c *caseCoverage) record(plan *cases.Plan, result *harness.Result) {
	if c == nil {
		return
	}
	name := result.Suite
	for _, suite := range plan.Suites {
		if suite.Name == name {
			c.conditions.add(suite, result)
			name = suite.Of()
		}
	}
	c.recorder.Add(name, result)
	if c.missing != nil {
		c.missing.addResult(name, result)
	}
}

// collect stops the programs of a plan, which then write what they counted, and reads it.
func (c *caseCoverage) collect(plan *cases.Plan) error {
	if c == nil || c.native == nil {
		return nil
	}
	return errors.Join(plan.Close(), c.native.collect(plan))
}

// report returns the coverage for a report. A shard's has what merge needs.
func (c *caseCoverage) report(isShard bool) record.Coverage {
	if isShard {
		return c.recorder.Record()
	}
	return c.recorder.Report()
}

// CoverageOptions are the options of Coverage.
type CoverageOptions struct {
	Options
	Native NativeFlags
	// Conditions also reads the conditions of error sites, which takes much time and memory for large packages.
	Conditions bool
	// MissingCases adds an object for each keyword and rule that the text report lists. With Verbose it
	// lists all.
	MissingCases, Verbose bool
}

// Coverage runs suites and returns what they cover, and how many inputs have no verdict.
func Coverage(ctx context.Context, env *Environment, args []string, options *CoverageOptions,
	files *terminal.Files) (report coverage.Report, faults int, failed error) {
	loading := cases.Options{Parallel: options.Parallel, StartTimeout: options.StartTimeout}
	var counter *errorsites.Counter
	if options.Native.Programs {
		counter = errorsites.NewCounter()
		loading.Counting = counter
	}
	plan, err := env.LoadSuites(ctx, args, loading, files)
	if err != nil {
		return report, 0, err
	}
	defer func() {
		if err := plan.Close(); failed == nil {
			failed = err
		}
	}()
	s := newSession(env, &options.Options, plan)
	end, err := s.measureCoverage(ctx, options.Native)
	if err != nil {
		return report, 0, err
	}
	defer end()
	if options.Conditions {
		s.coverage.conditions = newConditionCoverage(ctx, env, options.Native.Packages, counter)
	}
	if options.MissingCases {
		s.coverage.missing = &missingCases{}
	}
	if err := s.runForCoverage(ctx); err != nil {
		return report, 0, err
	}
	if err := s.coverage.collect(plan); err != nil {
		return report, 0, err
	}
	report = s.coverage.recorder.Report()
	report.Conditions = s.coverage.conditions.report()
	report.Narrowed = narrowingTexts(s.narrowings(true))
	report.AddLines(s.declaredAt)
	if options.MissingCases {
		err = report.AddObjects(ctx, options.Verbose,
			func(t *coverage.Target) coverage.Breaker { return s.coverage.missing.breaker(ctx, t) })
	}
	if ctx.Err() != nil {
		err = errCoverageInterrupted
	}
	return report, s.summary.Verdicts[words.Faulted], err
}

var errCoverageInterrupted = terminal.Exitf(terminal.Interrupted, "interrupted; there is no report on coverage")

// runForCoverage runs the suites of a session without reporting the results.
func (s *session) runForCoverage(ctx context.Context) error {
	s.env.ShowIntents(s.plan)
	s.progress = s.startProgress()
	defer s.progress.stop()
	err := s.runSuites(ctx)
	s.progress.stop()
	switch {
	case ctx.Err() != nil:
		return errCoverageInterrupted
	case err != nil:
		return err
	case s.summary.Cases == 0 && s.options.Only != nil:
		return terminal.Exitf(terminal.Different, "%w", s.selection.noneSelected(s.options.Only))
	case s.summary.Inputs == 0 && s.summary.Verdicts[words.Faulted] == 0:
		return terminal.Exitf(terminal.Different, "no case was compared, so nothing is covered")
	}
	s.warnOfBroken()
	return nil
}

// declaredAt returns the file and line of a place in a schema, or "".
func (s *session) declaredAt(t *coverage.Target, declared string) string {
	version, err := apiname.ParseTarget(t.Name)
	if err != nil {
		return ""
	}
	for _, suite := range s.plan.Suites {
		if suite.Of() != t.Suite {
			continue
		}
		if at := suite.SchemaLine(version, declared); at != "" {
			return at
		}
	}
	return ""
}
