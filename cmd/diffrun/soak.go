package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/time/rate"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/soak"
	"github.com/diffrun/diffrun/metrics"
)

// soakFlags are the flags of "diffrun soak".
type soakFlags struct {
	folder   string
	duration time.Duration
	rate     float64
	addr     string
	stdin    bool
	redact   bool
	parallel int
	timeout  time.Duration
}

func (p *program) soakCommand() *cobra.Command {
	var flags soakFlags
	command := &cobra.Command{
		Use:   "soak [SUITE...]",
		Short: "Run suites or requests from stdin for a long time, and keep each new difference",
		Long: `Run suites again and again, or compare what comes in on stdin, for a time or for ever.
No SUITE: all bundled ones.

Each new difference is written once into FOLDER/differences: its case as a line of JSON,
which "diffrun run" replays, and a text beside it. Differences are the same if class,
effect, target, field and messages are, but for numbers and quoted values. FOLDER/state.json
has the counts. Another soak in the folder goes on from there.

With --stdin, each line is a case (id, object, oldObject, operation, subresource), an event
of an audit log of the API server (audit.k8s.io) or an AdmissionReview. It is compared by
each suite that has its target; what no suite has is left out and counted.

--addr serves /metrics, /healthz and /readyz. SIGTERM and SIGINT end the soak after the cases
that are being compared.

Exit status: 0 no difference; 1 differences that nothing explains; 2 usage or configuration,
or nothing was compared; 3 inputs that could not be decided. It is about all soaks in FOLDER.`,
		RunE: func(command *cobra.Command, args []string) error {
			if err := flags.check(); err != nil {
				return usageError{err}
			}
			return p.soak(command.Context(), args, flags)
		},
	}
	set := command.Flags()
	p.markerFlags(set)
	set.StringVar(&flags.folder, "folder", "soak", "where differences and counts are kept")
	set.DurationVar(&flags.duration, "duration", 0, "how long to run, for instance 10m; 0: for ever, or to the end of stdin")
	set.Float64Var(&flags.rate, "rate", 0, "cases a second at most; 0: as many as there can be")
	set.StringVar(&flags.addr, "addr", "", "serve /metrics, /healthz and /readyz on this address, as host:port")
	set.BoolVar(&flags.stdin, "stdin", false, "compare what stdin has, a line each, instead of the cases of the suites")
	set.BoolVar(&flags.redact, "redact", false, "write the shapes of objects and no values")
	set.IntVar(&flags.parallel, "parallel", 0, "cases to check at once; 0: one for each core")
	set.DurationVar(&flags.timeout, "timeout", harness.DefaultTimeout, "how long a validator may take for one input")
	return command
}

// check says all that is wrong with the flags at once.
func (f soakFlags) check() error {
	var errs []error
	for _, flag := range []struct {
		wrong bool
		text  string
	}{
		{f.folder == "", "--folder is empty; name a directory"},
		{f.duration < 0, fmt.Sprintf("--duration %v: give a time, or 0 for no end", f.duration)},
		{!(f.rate >= 0), fmt.Sprintf("--rate %v: give a number of cases a second, or 0 for no limit", f.rate)},
	} {
		if flag.wrong {
			errs = append(errs, errors.New(flag.text))
		}
	}
	return errors.Join(append(errs, checkPace(f.parallel, "cases", f.timeout))...)
}

// soak loads suites and runs them until it is time to end.
func (p *program) soak(ctx context.Context, args []string, flags soakFlags) (failed error) {
	plan, err := p.loadSuites(ctx, args, flags.parallel)
	if err != nil {
		return err
	}
	defer func() {
		if err := plan.Close(); failed == nil {
			failed = err
		}
	}()
	source := "their cases"
	if flags.stdin {
		source = "stdin"
	}
	var suites []string
	for _, suite := range plan.Suites {
		suites = append(suites, suite.Name)
	}
	folder, err := soak.Open(flags.folder, suites, source, flags.redact, p.now)
	if err != nil {
		return err
	}
	s := &session{
		options: runOptions{runFlags: runFlags{parallel: flags.parallel, timeout: flags.timeout, ignoreMissing: flags.stdin}},
		plan:    plan, ledger: plan.Ledger(), metrics: metrics.New(),
	}
	routes := soak.NewRoutes(s.metrics.Handler())
	server, err := p.serveSoak(flags.addr, routes)
	if err != nil {
		return err
	}
	for _, intent := range plan.Intents {
		p.warn("diffrun: %s\n", intent)
	}
	stopping, stop := interruptible(ctx, func() {})
	defer stop()
	if flags.duration > 0 {
		var cancel context.CancelFunc
		stopping, cancel = context.WithTimeout(stopping, flags.duration)
		defer cancel()
	}
	run := &soaking{program: p, session: s, folder: folder, routes: routes, stopping: stopping, limit: limiter(flags.rate), jobs: map[string]suiteJobs{}}
	err = errors.Join(run.all(flags.stdin), folder.Close())
	verdict := run.end(err)
	if err := errors.Join(err, server.close()); err != nil {
		return err
	}
	return verdict
}

func limiter(perSecond float64) *rate.Limiter {
	if perSecond == 0 {
		return rate.NewLimiter(rate.Inf, 1)
	}
	return rate.NewLimiter(rate.Limit(perSecond), 1)
}

// serveSoak serves the routes of a soak; empty: nowhere.
func (p *program) serveSoak(address string, routes *soak.Routes) (*serving, error) {
	if address == "" {
		return nil, nil
	}
	server, err := metrics.Serve(address, routes)
	if err != nil {
		return nil, err
	}
	p.warn("serving http://%s/metrics, /healthz and /readyz\n", server.Address())
	return &serving{server}, nil
}

// end reports what all soaks in the folder found, and gives the exit status.
func (k *soaking) end(failed error) error {
	warnOf(k.program, k.session.requests.texts())
	for _, left := range k.session.leftOut {
		k.program.warn("diffrun: warning: cases left out: %d of %s, a target that no suite has\n", left.Cases, left.Target)
	}
	warnOf(k.program, k.session.broken)
	state := k.folder.State()
	for _, line := range state.Summary() {
		if err := k.program.stdout.Printf("%s\n", line); err != nil {
			return err
		}
	}
	different, faults := state.Open()
	switch {
	case failed != nil:
		return nil
	case state.Inputs == 0:
		return &exitError{statusMistake, errors.New("nothing was compared: a soak that compares nothing proves nothing")}
	case faults > 0:
		return &exitError{status: statusFault}
	case different > 0:
		return &exitError{status: statusDifferent}
	}
	return nil
}

// take counts a result, and says what is new.
func (k *soaking) take(result harness.Result) error {
	k.routes.Ready(true)
	k.session.metrics.Observe(result)
	added, err := k.folder.Take(result)
	for _, finding := range added {
		if err := k.program.stdout.Printf("new: %s: %s\n", finding.Text, k.folder.Path(finding)); err != nil {
			return err
		}
	}
	return err
}
