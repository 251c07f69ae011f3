package run

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/metrics"
	"github.com/diffrun/diffrun/reports"
	"github.com/diffrun/diffrun/reports/record"
)

// session is one run of the suites of a plan.
type session struct {
	env       *Environment
	options   *Options
	plan      *cases.Plan
	selection selection
	ledger    *equivalence.Ledger
	summary   harness.Summary
	panics    panics
	refused   refusals                           // by the definition, before any guard
	versions  map[schema.GroupVersionKind]bool   // that have results
	undefined map[string][]record.UndefinedTally // by suite
	metrics   *metrics.Metrics
	coverage  *caseCoverage        // nil: not measured
	recorded  *cases.RecordedCheck // nil: schemas are compared, not recorded errors
	progress  *progress
	outputs   outputs
	found     *Found // nil: the cases are those of the suites
}

func newSession(env *Environment, options *Options, plan *cases.Plan) *session {
	s := &session{
		env:       env,
		options:   options,
		plan:      plan,
		ledger:    plan.Ledger(),
		versions:  map[schema.GroupVersionKind]bool{},
		undefined: map[string][]record.UndefinedTally{},
		metrics:   metrics.New(),
	}
	s.outputs.reporter = joined(nil)
	if options.checkRecorded {
		s.recorded = &cases.RecordedCheck{}
	}
	return s
}

// Run loads suites and runs them. The error has the exit status of the run.
func Run(ctx context.Context, env *Environment, args []string, options *Options, files *terminal.Files) (failed error) {
	reading, stopReading := context.WithCancel(ctx)
	defer stopReading()
	plan, err := options.loadPlan(reading, env, args, files)
	if err != nil {
		return err
	}
	defer func() {
		if err := plan.Close(); failed == nil {
			failed = err
		}
	}()
	if options.list {
		return listCases(env, options, plan)
	}
	if err := options.Comparison.check(plan.Suites); err != nil {
		return terminal.Usage(err)
	}
	if !options.noExceptions {
		terminal.WarnAll(env.Console, expiring(plan, options.expiring, env.Now()))
	}
	s := newSession(env, options, plan)
	if options.coverage {
		end, err := s.measureCoverage(ctx, options.native)
		if err != nil {
			return err
		}
		defer end()
	}
	lock, err := s.lockShard(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Unlock() }() // the report is complete
	if s.alreadyRun() {
		return nil
	}
	env.ShowIntents(plan)
	if options.Source != nil { // an interrupt ends the search, and what it found is reported
		searching, stop := terminal.Interruptible(ctx, s.outputs.files.Abandon)
		found, err := options.Source(searching, plan)
		stop()
		if err != nil {
			return err
		}
		s.found = &found
	}
	ctx, stop := terminal.Interruptible(ctx, s.outputs.files.Abandon)
	defer stop()
	context.AfterFunc(ctx, stopReading)
	s.progress = s.startProgress()
	defer s.progress.stop()
	return s.runAndReport(ctx)
}

// loadPlan loads the suites of the arguments, or those of the options.
func (o *Options) loadPlan(ctx context.Context, env *Environment, args []string, files *terminal.Files) (*cases.Plan, error) {
	loading := cases.Options{Parallel: o.Parallel, StartTimeout: o.StartTimeout, Counting: o.Counting}
	if o.Suites == nil {
		return env.LoadSuites(ctx, args, loading, files)
	}
	suites, err := o.Suites(ctx)
	if err != nil {
		return nil, err
	}
	return env.Load(suites, loading, files)
}

// runAndReport opens the outputs, compares all cases, and returns the exit status of the run.
func (s *session) runAndReport(ctx context.Context) error {
	if s.options.writesFiles() {
		defer terminal.CatchBrokenPipe()()
	}
	if err := s.outputs.open(ctx, &s.options.OutputOptions, s.env.Stdout, s.progress.above(s.env.Stdout)); err != nil {
		if ctx.Err() != nil {
			return terminal.Exitf(terminal.Interrupted, "interrupted before the run began")
		}
		return err
	}
	routes := http.NewServeMux()
	routes.Handle("GET /metrics", s.metrics.Handler())
	stopServing, err := Serve(s.env.Console, routes, s.options.metricsAddress, "metrics: http://%s/metrics\n")
	if err != nil {
		return errors.Join(err, s.outputs.files.Discard())
	}
	verdict := s.compare(ctx)
	terminal.WarnAll(s.env.Console, slices.Concat(s.selection.requests.Texts(), s.selection.noGuard.unguarded()))
	unwritten := errors.Join(s.outputs.close(s.metrics), stopServing())
	if unwritten == nil {
		verdict = s.leaveToMerge(verdict)
	}
	return s.joinErrors(verdict, s.outputs.stdout.err(), unwritten)
}

// startProgress draws the progress bar. If the number of cases is not exact, it only counts.
func (s *session) startProgress() *progress {
	total, exact := 0, s.options.Only == nil && !s.options.ignoreMissing
	for _, suite := range s.plan.Suites {
		n, known := suite.Count()
		if s.found != nil {
			n, known = len(s.found.Cases[suite]), true
		}
		total, exact = total+n, exact && known
	}
	if !exact {
		total = 0
	}
	return newProgress(s.env.Stderr, total, "cases", s.env.startups.text)
}

// compare runs all jobs and reports the results. The error has the exit status.
func (s *session) compare(ctx context.Context) error {
	began := time.Now()
	if err := s.outputs.reporter.Begin(s.originHeader(ctx)); err != nil {
		return err
	}
	failed := s.runSuites(ctx)
	s.progress.stop()
	if failed == nil && s.options.After != nil {
		failed = s.options.After(ctx, s.plan)
	}
	if failed == nil {
		failed = s.coverage.collect(s.plan)
	}
	footer := s.footer(failed == nil)
	footer.Elapsed = time.Since(began)
	if err := s.outputs.reporter.End(footer); err != nil {
		if failed != nil && failed.Error() == err.Error() {
			return failed // a full disk is reported once
		}
		return errors.Join(failed, err)
	}
	return s.verdict(ctx, footer, failed)
}

func (s *session) header() reports.Header {
	header := reports.Header{Version: s.env.Version, Shard: s.options.shard.String(), Options: s.options.meaning(),
		FailOn: s.options.failOn}
	for _, suite := range s.plan.Suites {
		header.Suites = append(header.Suites, record.Suite{Name: suite.Name, Source: suite.File, Compared: s.sides(suite)})
	}
	return header
}

// originHeader returns the header with the origin of the run, if a report shows or records it.
func (s *session) originHeader(ctx context.Context) reports.Header {
	header := s.header()
	if s.options.describesOrigin() {
		header.Origin = newOrigin(ctx, s.env.Now(), s.options.sourceURL)
	}
	return header
}

// footer returns the footer of a run that is complete or ended early.
func (s *session) footer(complete bool) reports.Footer {
	tally := s.tally()
	footer := reports.Footer{
		Summary:    s.summary,
		Problems:   ownProblems(tally),
		LeftOut:    s.selection.noTarget.sorted(),
		Incomplete: !complete,
		Narrowings: s.narrowings(complete),
	}
	isShard := s.options.shard.of > 0
	if s.coverage != nil {
		footer.Coverage = s.coverage.report(isShard)
	}
	switch {
	case isShard:
		footer.Tally = &tally
	case complete:
		footer.Problems = problemsOf(tally, s.summary.Cases, &s.refused)
		footer.Notes = guardNotes(tally)
	}
	if s.found != nil {
		footer.Problems = append(ownProblems(tally), s.found.Problems...)
	}
	footer.Problems = append(s.panics.problems(tally.Suites), footer.Problems...)
	return footer
}

// runSuites runs all suites in their order.
func (s *session) runSuites(ctx context.Context) error {
	for suites := range Together(s.plan.Suites) {
		leave, err := suites[0].Enter()
		if err != nil {
			return fmt.Errorf("suite %s: %w", suites[0].Name, err)
		}
		err = harness.Run(ctx, s.jobs(suites), harness.RunOptions{Parallel: s.options.Parallel}, func(result harness.Result) error {
			return s.record(ctx, result)
		})
		leave()
		if err != nil {
			return err
		}
	}
	return nil
}

// jobs returns the jobs of each suite in turn, and records the other events.
func (s *session) jobs(suites []*cases.Suite) iter.Seq2[harness.Job, error] {
	return func(yield func(harness.Job, error) bool) {
		for _, suite := range suites {
			for event, err := range s.events(suite) {
				job, isJob := event.(cases.Job)
				switch {
				case err == nil && !isJob:
					s.recordEvent(suite, event)
				case err != nil || s.number(suite, &job.Job):
					if !yield(job.Job, err) {
						return
					}
				}
			}
		}
	}
}

// events returns the events of a suite: of its files, or of the cases that were found.
func (s *session) events(suite *cases.Suite) iter.Seq2[cases.Event, error] {
	if s.found == nil {
		return suite.Events(s.jobOptions(suite))
	}
	return func(yield func(cases.Event, error) bool) { s.found.events(suite, s.jobOptions(suite), yield) }
}

// recordEvent records an event that is not a job.
func (s *session) recordEvent(suite *cases.Suite, event cases.Event) {
	if compiled, is := event.(cases.CompiledSchema); is {
		s.coverage.missing.addSchema(suite.Of(), compiled)
		return
	}
	s.selection.record(suite, event)
}

// jobOptions returns the options for the jobs of a suite.
func (s *session) jobOptions(suite *cases.Suite) cases.JobOptions {
	options := cases.JobOptions{
		Harness: s.harnessOptions(suite), Compared: s.options.Comparison.sides, CheckRecorded: s.recorded,
		Only: s.options.Only, SkipMissing: s.options.ignoreMissing,
	}
	if s.options.byFile() {
		options.SelectFile = s.selectFile
	}
	s.coverage.setOptions(suite, &options)
	return options
}

func (s *session) harnessOptions(suite *cases.Suite) harness.Options {
	options := harness.Options{
		Timeout: s.options.Timeout, Rules: suite.Rules, Exceptions: suite.Exceptions, Ledger: s.ledger,
		NoExceptions: s.options.noExceptions, Repeat: s.options.repeat, Self: s.options.self,
		Compare: suite.Scope(s.options.Comparison.scope), ByOrigin: s.options.by == byOrigin,
		Stored: true,
	}
	if s.options.noRules || s.options.checkRecorded {
		options.Rules = nil
	}
	if s.options.checkRecorded || s.comparesOtherBackends(suite) {
		options.Exceptions = nil
	}
	return options
}

// record counts and reports a result. With --check-recorded, a different result says why.
func (s *session) record(ctx context.Context, result harness.Result) error {
	if s.recorded != nil && result.Verdict == words.Different {
		explained := *result.Case
		explained.Why += "; cause: " + s.recorded.Cause(ctx, result)
		result.Case = &explained
	}
	s.summary.Add(result)
	s.panics.add(&result)
	s.refused.add(result)
	s.recordUndefined(result)
	s.versions[result.Version] = true
	s.metrics.Observe(result)
	s.progress.count(result)
	s.coverage.record(s.plan, &result)
	return s.outputs.reporter.Result(result)
}
