package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/coverage"
	"github.com/diffrun/diffrun/internal/coverage/nativecoverage"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/metrics"
	"github.com/diffrun/diffrun/reports"
)

// session is one run: suites in, reports and metrics out.
type session struct {
	options  runOptions
	plan     *cases.Plan
	ledger   *equivalence.Ledger
	summary  harness.Summary
	versions map[schema.GroupVersionKind]bool // that results are of
	broken   []string                         // schemas that do not compile
	empty    []string                         // files that hold no case
	cases    int                              // so far, of other shards as well
	// fileCount counts files of cases so far, of other shards as well, where shards have files.
	fileCount int
	digest    digest // of cases or files, in a shard
	leftOut   leftOut
	unchosen  []string // ids of the first cases that --run leaves out
	// unchosenCases counts the cases that --run leaves out, and unrecorded those that --check-recorded does.
	unchosenCases, unrecorded int
	requests                  requestsLeftOut
	metrics                   *metrics.Metrics
	coverage                  *coverage.Recorder       // nil: nothing is counted
	recorded                  *cases.RecordedCheck     // nil: schemas are compared, not recorded errors
	objects                   *objectMaker             // nil: no objects are made
	native                    *nativecoverage.Recorder // nil: hand-written validators are not counted
	settle                    func() error             // see countNative
	progress                  *progress
	reporter                  reports.Reporter
	files                     outputFiles
	// stdout is set where a report goes there.
	stdout *shownReport
	// metricsFile is the one of files that the metrics go to; nil: none.
	metricsFile *outputFile
}

// run loads suites, runs them, and gives the status of the run as an error.
func (p *program) run(ctx context.Context, args []string, options runOptions, files places) (failed error) {
	reading, stopReading := context.WithCancel(ctx)
	defer stopReading()
	plan, err := p.loadSuites(reading, args, options.parallel, files)
	if err != nil {
		return err
	}
	closed := sync.OnceValue(plan.Close)
	defer func() {
		if err := closed(); failed == nil {
			failed = err
		}
	}()
	if err := options.checkComparing(plan.Suites); err != nil {
		return usageError{err}
	}
	if !options.noExceptions {
		warnOf(p, lapsing(plan, options.expiring, p.now()))
	}
	s := &session{options: options, plan: plan, ledger: plan.Ledger(), versions: map[schema.GroupVersionKind]bool{}, metrics: metrics.New()}
	if options.coverage {
		end, err := p.startCounting(ctx, s, options.nativeFlags, closed)
		if err != nil {
			return err
		}
		defer end()
	}
	if options.checkRecorded {
		s.recorded = &cases.RecordedCheck{}
	}
	part, err := p.lockPart(ctx, options)
	if err != nil {
		return err
	}
	defer func() { _ = part.Unlock() }() // what the part has to say is said
	if p.ranBefore(s) {
		return nil
	}
	p.sayIntents(plan)
	s.progress = p.startProgress(s.count())
	defer s.progress.stop()
	ctx, stop := interruptible(ctx, s.files.abandon)
	defer stop()
	context.AfterFunc(ctx, stopReading)
	if s.options.writesFiles() {
		defer catchBrokenPipe()()
	}
	if err := s.openOutputs(ctx, p.stdout, p.above(s.progress)); err != nil {
		if ctx.Err() != nil {
			return &exitError{statusInterrupted, errors.New("interrupted before the run began")}
		}
		return err
	}
	serving, err := p.serveMetrics(s.metrics, options.metricsAddr)
	if err != nil {
		return errors.Join(err, s.files.discard())
	}
	return p.end(s, s.compare(ctx), serving)
}

// end writes what is left to write of a run, and gives its status.
func (p *program) end(s *session, verdict error, serving *serving) error {
	warnOf(p, s.requests.texts())
	s.writeMetrics()
	unwritten := errors.Join(s.files.close(), serving.close())
	if unwritten == nil {
		verdict = p.leftToMerge(s.options, verdict)
	}
	return s.close(verdict, s.stdout.unwritten(), unwritten)
}

// close gives the status of a run of which something could not be shown on stdout, or not be written
// to a file. What the run found is said all the same: it may stand nowhere else. A report in a file is
// what somebody waits for, so a run that is as wanted fails without it. A stdout that cannot be written
// does not hide the status of the run.
func (s *session) close(verdict, unshown, unwritten error) error {
	ended := (*exitError)(nil)
	switch {
	case unshown == nil && unwritten == nil:
		return verdict
	case verdict != nil && !errors.As(verdict, &ended):
		return errors.Join(verdict, unshown, unwritten)
	case ended == nil:
		ended = &exitError{}
	}
	run := fmt.Errorf("diffrun: the run itself ended with status %d: %s", ended.status, s.found())
	if ended.says != nil {
		run = fmt.Errorf("%w; %w", run, ended.says)
	}
	status := ended.status
	if unwritten != nil {
		status = cmp.Or(status, statusMistake)
	}
	return &exitError{status, errors.Join(unshown, unwritten, run)}
}

// found is the summary of a run in a line.
func (s *session) found() string {
	counts := []string{plaintext.Count(s.summary.Inputs, "input") + " of " + plaintext.Count(s.summary.Cases, "case")}
	for _, verdict := range harness.Verdicts() {
		if n := s.summary.Verdicts[verdict]; n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, verdict))
		}
	}
	return strings.Join(counts, ", ")
}

// above is where reports to stdout go: when that and the progress bar share a
// terminal, above the bar.
func (p *program) above(bar *progress) io.Writer {
	if p.stdout.isTerminal() {
		return bar.above(p.stdout.file)
	}
	return p.stdout.file
}

// count says how many cases the progress bar may expect.
func (s *session) count() (total int, exact bool) {
	exact = s.options.only == nil && !s.options.ignoreMissing
	for _, suite := range s.plan.Suites {
		n, known := suite.Count()
		total, exact = total+n, exact && known
	}
	return total, exact
}

// compare runs all jobs and reports them. The error holds the exit status.
func (s *session) compare(ctx context.Context) error {
	began := time.Now()
	if err := s.reporter.Begin(s.header()); err != nil {
		return err
	}
	failed := s.runSuites(ctx)
	s.progress.stop()
	if failed == nil {
		failed = s.settled()
	}
	tally := s.tally()
	footer := reports.Footer{Summary: s.summary, Problems: ownProblems(tally), LeftOut: s.leftOut.sorted(), Incomplete: failed != nil, Narrowings: s.narrowings(failed == nil), Elapsed: time.Since(began)}
	switch {
	case s.coverage == nil:
	case s.options.shard.of > 0:
		footer.Coverage = s.coverage.Record()
	default:
		footer.Coverage = s.coverage.Report()
	}
	switch {
	case s.options.shard.of > 0:
		footer.Tally = &tally
	case failed == nil:
		footer.Problems = problemsOf(tally, s.summary.Cases)
	}
	if err := s.reporter.End(footer); err != nil {
		if failed != nil && failed.Error() == err.Error() {
			return failed // a disk that is full is said once
		}
		return errors.Join(failed, err)
	}
	return s.verdict(ctx, footer, failed)
}

func (s *session) header() reports.Header {
	header := reports.Header{Version: version(), Shard: s.options.shard.String(), Options: s.options.meaning(), FailOn: s.options.failOn}
	for _, suite := range s.plan.Suites {
		header.Suites = append(header.Suites, reports.Suite{Name: suite.Name, Source: suite.File, Compared: s.sides(suite)})
	}
	return header
}

// runSuites runs all suites in turn, those together that do not get into each
// other's way.
func (s *session) runSuites(ctx context.Context) error {
	for suites := range s.together() {
		leave, err := suites[0].Enter()
		if err != nil {
			return fmt.Errorf("suite %s: %w", suites[0].Name, err)
		}
		err = harness.Run(ctx, s.jobs(suites), harness.RunOptions{Parallel: s.options.parallel}, s.takeIn(ctx))
		leave()
		if err != nil {
			return err
		}
	}
	return nil
}

// together gives the suites in turn, those together that do not get into each other's way.
func (s *session) together() iter.Seq[[]*cases.Suite] {
	return func(yield func([]*cases.Suite) bool) {
		for rest := s.plan.Suites; len(rest) > 0; {
			together := slices.IndexFunc(rest, (*cases.Suite).Alone)
			switch together {
			case -1:
				together = len(rest)
			case 0:
				together = 1
			}
			if !yield(rest[:together]) {
				return
			}
			rest = rest[together:]
		}
	}
}

// jobs gives those of each suite in turn.
func (s *session) jobs(suites []*cases.Suite) iter.Seq2[harness.Job, error] {
	return func(yield func(harness.Job, error) bool) {
		for _, suite := range suites {
			for job, err := range suite.Jobs(s.jobOptions(suite)) {
				if err == nil && !s.number(suite, &job) {
					continue
				}
				if !yield(job, err) {
					return
				}
			}
		}
	}
}

// number numbers a case of the run, and says whether it is one of the shard.
func (s *session) number(suite *cases.Suite, job *harness.Job) bool {
	s.cases++
	job.Case.Number = s.cases
	switch {
	case s.options.byFile():
		job.Case.Number += s.fileCount << fileBits
		return true
	case s.options.shard.of > 0:
		s.digest.add(suite.Name, job.Case)
	}
	return s.options.shard.has(job.Case.ID)
}

// jobOptions are what the jobs of a suite are compared by.
func (s *session) jobOptions(suite *cases.Suite) cases.JobOptions {
	options := harness.Options{
		Timeout: s.options.timeout, Rules: suite.Rules, Exceptions: suite.Exceptions, Ledger: s.ledger,
		NoExceptions: s.options.noExceptions, Repeat: s.options.repeat, Self: harness.Self(s.options.self), Compare: suite.Scope(s.options.scope), ByOrigin: s.options.by == byOrigin,
	}
	if s.options.noRules || s.options.checkRecorded {
		options.Rules = nil
	}
	if s.options.checkRecorded || s.ofOtherBackends(suite) {
		options.Exceptions = nil
	}
	broken := func(_ schema.GroupVersionKind, why error) {
		s.broken = append(s.broken, fmt.Sprintf("%s: %v", suite.File, why))
	}
	empty := func(file string) {
		if !slices.Contains(s.empty, file) { // another set of the matrix, or suite, reads it too
			s.empty = append(s.empty, file)
		}
	}
	job := cases.JobOptions{Harness: options, Only: s.options.only, Broken: broken, Empty: empty, LeftOut: s.requests.add, CheckRecorded: s.recorded, Unrecorded: func() { s.unrecorded++ }, Compared: s.options.comparing.sides}
	if s.options.byFile() {
		job.Mine = s.mine
	}
	if s.options.only != nil {
		job.Other = s.leaveOut
	}
	s.cover(suite, &job)
	if s.options.ignoreMissing {
		job.Missing = func(version schema.GroupVersionKind) { _ = s.leftOut.add(suite.Name, version) }
	}
	return job
}

// takeIn is take; with --check-recorded, results that differ say why.
func (s *session) takeIn(ctx context.Context) func(harness.Result) error {
	if s.recorded == nil {
		return s.take
	}
	return func(result harness.Result) error {
		if result.Verdict == harness.Different {
			explained := *result.Case
			explained.Why += "; cause: " + s.recorded.Cause(ctx, result)
			result.Case = &explained
		}
		return s.take(result)
	}
}

// take hands a result to all that want it.
func (s *session) take(result harness.Result) error {
	s.summary.Add(result)
	s.versions[result.Version] = true
	s.metrics.Observe(result)
	s.progress.count(result)
	s.covered(&result)
	return s.reporter.Result(result)
}

// verdict gives the exit status of a reported run, nil where all is as wanted.
func (s *session) verdict(ctx context.Context, footer reports.Footer, failed error) error {
	switch {
	case ctx.Err() != nil:
		return &exitError{statusInterrupted, fmt.Errorf("interrupted; cases finished and reported: %d", s.summary.Cases)}
	case failed != nil:
		return failed
	case s.summary.Cases == 0 && (s.cases > 0 || s.options.byFile() && s.fileCount > 0): // all are of other shards
	case s.summary.Cases == 0 && s.options.only != nil:
		return &exitError{statusMistake, s.noneChosen()}
	case s.summary.Cases == 0 && s.options.checkRecorded:
		return &exitError{statusMistake, errors.New("no case has recorded errors, which --check-recorded compares; diffrun capture records them")}
	case s.summary.Cases == 0:
		return &exitError{statusMistake, errors.New("no case: a run that compares nothing proves nothing")}
	}
	if status := judge(s.summary, footer.Problems, s.options.failOn); status != statusOK {
		return &exitError{status: status}
	}
	return nil
}

// writeMetrics writes the metrics to their file, which says when it is closed what went
// wrong.
func (s *session) writeMetrics() {
	if s.metricsFile != nil {
		s.metricsFile.Fail(s.metrics.Write(s.metricsFile))
	}
}
