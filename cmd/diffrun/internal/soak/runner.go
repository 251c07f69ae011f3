package soak

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"golang.org/x/time/rate"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/findings/redaction"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
	"github.com/diffrun/diffrun/internal/live/counters"
	"github.com/diffrun/diffrun/internal/live/soak"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/metrics"
)

// lastWrites is how long findings that wait for a bucket may delay the end.
const lastWrites = 5 * time.Second

// source is where the cases of a soak come from.
type source struct {
	// name is written to the state of the folder.
	name string
	// external cases are not those of the suites, so suites may lack their targets.
	external bool
	// requests of an API server must not cause further requests to it.
	requests bool
	// counter counts what programs execute; nil: they do not count.
	counter *errorsites.Counter
	// run compares the cases until it is time to end.
	run func(*runner) error
}

// runner is a soak that runs.
type runner struct {
	env      *run.Environment
	plan     *cases.Plan
	ledger   *equivalence.Ledger
	options  options
	source   source
	metrics  *metrics.Metrics
	counters *counters.Counters
	folder   *soak.Folder
	routes   *soak.Routes
	stopping context.Context // done when cases are no longer to be started
	limit    *rate.Limiter
	events   map[string]iter.Seq2[cases.Event, error] // by suite: schemas are compiled once
	// redactor removes the texts of objects from all that is printed, counted and kept. It is nil
	// without --redact.
	redactor *redaction.Redactor
	// printCases prints the cases of new findings on stdout.
	printCases bool
	// warnings limits warnings about a bucket that fails.
	warnings rate.Sometimes
	noTarget run.LeftOut         // external cases without a target
	noCase   run.LeftOutRequests // requests that are not cases
	// undecodable counts objects that were made and cannot be decoded in a version.
	undecodable int
	// skipped is called for each external case that no suite compares.
	skipped func(cases.Skipped)
}

// Run runs a soak.
func Run(ctx context.Context, env *run.Environment, args []string, o *Options) error {
	from := source{name: "their cases", external: o.stdin || o.generate}
	compare := (*runner).suiteCases
	switch {
	case o.stdin:
		from.name = "stdin"
		compare = func(r *runner) error { return r.compare(r.externalJobs(r.stdinCases())) }
	case o.generate:
		from.name = fmt.Sprintf("generated objects, seed %d", o.seed)
		from.counter = errorsites.NewCounter()
		compare = func(r *runner) error { return r.explore(o.seed, o.corpus) }
	}
	from.run = func(r *runner) error {
		stop, err := r.serve(o.addr)
		if err != nil {
			return err
		}
		if o.duration > 0 {
			var cancel context.CancelFunc
			r.stopping, cancel = context.WithTimeout(r.stopping, o.duration)
			defer cancel()
		}
		defer r.routes.Ready(false)
		return errors.Join(compare(r), stop())
	}
	return start(ctx, env, args, o.options, from)
}

// start loads suites, compares the cases of a source, and reports what all soaks in the folder found.
func start(ctx context.Context, env *run.Environment, args []string, o options, from source) (failed error) {
	loading := cases.Options{Parallel: o.Parallel, StartTimeout: o.StartTimeout, CasesElsewhere: from.external, NoCluster: from.requests}
	if from.counter != nil {
		loading.Counting = from.counter
	}
	plan, err := env.LoadSuites(ctx, args, loading, env.NewFiles())
	if err != nil {
		return err
	}
	defer func() {
		err := plan.Close()
		if err != nil && o.redact { // the error has ids of cases and texts of validators
			err = errors.New("a validator printed more than its answers at the end, so some of them are in doubt; --redact hides which")
		}
		if failed == nil {
			failed = err
		}
	}()
	var suites []string
	results := metrics.New()
	for _, suite := range plan.Suites {
		suites = append(suites, suite.Name)
		results.Expect(suite.Versions()...)
	}
	r := &runner{
		env: env, plan: plan, ledger: plan.Ledger(), options: o, source: from, metrics: results, counters: counters.New(results),
		limit:  o.limiter(),
		events: map[string]iter.Seq2[cases.Event, error]{}, warnings: rate.Sometimes{First: 3, Interval: time.Minute},
	}
	r.skipped = r.countSkipped
	if o.redact {
		r.redactor = &redaction.Redactor{}
	}
	r.folder, err = soak.Open(ctx, o.folder, soak.Options{
		Suites:    suites,
		Source:    from.name,
		Redact:    o.redact,
		Now:       env.Now,
		OnFinding: r.recordFinding,
	})
	if err != nil {
		return err
	}
	env.ShowIntents(plan)
	stopping, stop := terminal.Interruptible(ctx, func() {})
	defer stop()
	r.stopping, r.routes = stopping, soak.NewRoutes(r.counters.Handler())
	r.folder.Replay = newReplayer(r).replay
	err = from.run(r)
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWrites)
	defer cancel()
	err = errors.Join(err, r.folder.Close(closing))
	verdict := r.finish(err)
	if err != nil {
		return err
	}
	return verdict
}

// suiteCases compares the cases of the suites again and again until it is time to end.
func (r *runner) suiteCases() error {
	skip := r.folder.State().Position
	for r.stopping.Err() == nil {
		before := r.folder.State().Inputs
		if err := r.pass(skip); err != nil {
			return err
		}
		if r.stopping.Err() != nil {
			return nil
		}
		if err := r.folder.Pass(); err != nil {
			return err
		}
		if skip == 0 && r.folder.State().Inputs == before {
			return nil // there is no case; finish reports it
		}
		skip = 0
	}
	return nil
}

// pass compares all cases of the suites once. It skips the first ones, which an earlier soak
// compared.
func (r *runner) pass(skip int) error {
	for suites := range run.Together(r.plan.Suites) {
		if r.stopping.Err() != nil {
			return nil
		}
		leave, err := suites[0].Enter()
		if err != nil {
			return err
		}
		err = r.compare(r.suiteJobs(suites, &skip))
		leave()
		if err != nil {
			return err
		}
	}
	return nil
}

// compare compares jobs. The soak is ready when it has a result.
func (r *runner) compare(jobs iter.Seq2[harness.Job, error]) error {
	return r.compareWith(jobs, func(result harness.Result) error {
		r.routes.Ready(true)
		return r.record(result)
	})
}

// compareWith compares jobs at the rate of the soak until it is time to end. A job that was started is
// finished, because it may not come again.
func (r *runner) compareWith(jobs iter.Seq2[harness.Job, error], record func(harness.Result) error) error {
	limited := func(yield func(harness.Job, error) bool) {
		for job, err := range jobs {
			if !yield(job, err) || r.limit.Wait(r.stopping) != nil {
				return
			}
		}
	}
	return harness.Run(context.WithoutCancel(r.stopping), limited, harness.RunOptions{Parallel: r.options.Parallel}, record)
}

// suiteJobs returns the jobs of each suite in turn, without those to skip.
func (r *runner) suiteJobs(suites []*cases.Suite, skip *int) iter.Seq2[harness.Job, error] {
	return func(yield func(harness.Job, error) bool) {
		for _, suite := range suites {
			if r.events[suite.Name] == nil {
				r.events[suite.Name] = suite.Events(r.jobOptions(suite))
			}
			for event, err := range r.events[suite.Name] {
				job, isJob := event.(cases.Job)
				switch {
				case err == nil && !isJob:
					r.recordEvent(suite, event)
				case err == nil && *skip > 0:
					*skip--
				case !yield(job.Job, err):
					return
				}
			}
		}
	}
}

// jobOptions returns the options for the jobs of a suite.
func (r *runner) jobOptions(suite *cases.Suite) cases.JobOptions {
	return cases.JobOptions{
		Harness: harness.Options{
			Timeout: r.options.Timeout, Rules: suite.Rules, Exceptions: suite.Exceptions, Ledger: r.ledger, Compare: suite.Scope(""),
		},
		SkipMissing: r.source.external,
	}
}

// recordEvent records an event that is not a job. A soak may have no end, so it reports a broken
// schema at once.
func (r *runner) recordEvent(suite *cases.Suite, event cases.Event) {
	switch event := event.(type) {
	case cases.BrokenSchema:
		r.env.Warn("diffrun: warning: %s: %v\n", suite.File, event.Err)
	case cases.Skipped:
		r.skipped(event)
	}
}

// serve serves metrics and health, and returns the function that stops it. No address: it serves
// nothing.
func (r *runner) serve(address string) (stop func() error, err error) {
	return run.Serve(r.env.Console, r.routes, address, "serving http://%s/metrics, /healthz and /readyz\n")
}

// record counts and keeps a result. Everything else sees only the redacted result.
func (r *runner) record(result harness.Result) error {
	if r.redactor != nil {
		result = r.redactor.Result(result)
	}
	r.metrics.Observe(result)
	return r.folder.Take(result)
}

// finish prints what all soaks in the folder found, and returns the exit status.
func (r *runner) finish(failed error) error {
	terminal.WarnAll(r.env.Console, r.noCase.Texts())
	for _, left := range r.noTarget {
		if r.redactor != nil {
			r.env.Warn("diffrun: warning: cases left out: %d of targets that no suite has; --redact hides which\n", left.Cases)
			continue
		}
		r.env.Warn("diffrun: warning: cases left out: %d of %s, a target that no suite has\n", left.Cases, left.Target)
	}
	if r.undecodable > 0 {
		r.env.Warn("diffrun: %s not counted: objects that were made and cannot be decoded in a version\n",
			plaintext.Count(r.undecodable, "input"))
	}
	state := r.folder.State()
	if failed != nil && state.Inputs == 0 {
		return nil // it did not begin
	}
	r.env.Judges = true
	for _, line := range state.Summary() {
		_ = r.env.Stdout.Printf("%s\n", line) // Finish reports the error
	}
	different, faults := state.Open()
	switch {
	case failed != nil:
		return nil
	case state.Inputs == 0:
		return terminal.Exitf(terminal.Mistake, "nothing was compared, which proves nothing")
	case faults > 0:
		return terminal.Exit(terminal.Fault)
	case different > 0:
		return terminal.Exit(terminal.Different)
	}
	return nil
}
