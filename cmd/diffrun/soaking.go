package main

import (
	"context"
	"errors"
	"iter"

	"golang.org/x/time/rate"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/findings/redaction"
	"github.com/diffrun/diffrun/internal/httpserver"
	"github.com/diffrun/diffrun/internal/live/counters"
	"github.com/diffrun/diffrun/internal/live/soak"
)

// soaking is a soak that runs.
type soaking struct {
	program  *program
	session  *session
	counters *counters.Counters
	folder   *soak.Folder
	routes   *soak.Routes
	stopping context.Context // ends when no more cases are to be taken
	limit    *rate.Limiter
	events   map[string]iter.Seq2[cases.Event, error] // by suite: schemas are compiled once
	// redactor takes the texts of objects out of all that is said, counted and kept; nil: nothing does.
	redactor *redaction.Redactor
	// printCases: cases of new differences go to stdout, too.
	printCases bool
	failing    rate.Sometimes // says that a bucket fails

	// What is not compared goes to these: a case of a kind that no suite has, and a request
	// that is no case, with the reason.
	ofNoTarget func(schema.GroupVersionKind) (first bool)
	ofNoCase   func(reason string)
}

// all runs the cases of the suites until it is time to end. Cases that are being compared then
// are finished, so that their results are not lost.
func (k *soaking) all() error {
	skip := k.folder.State().Position
	for k.stopping.Err() == nil {
		before := k.folder.State().Inputs
		if err := k.pass(skip); err != nil {
			return err
		}
		if k.stopping.Err() != nil {
			return nil
		}
		if err := k.folder.Pass(); err != nil {
			return err
		}
		if skip == 0 && k.folder.State().Inputs == before {
			return nil // no case: the end says so
		}
		skip = 0
	}
	return nil
}

// pass runs all cases of the suites once, without the first ones that another soak ran.
func (k *soaking) pass(skip int) error {
	for suites := range k.session.together() {
		if k.stopping.Err() != nil {
			return nil
		}
		leave, err := suites[0].Enter()
		if err != nil {
			return err
		}
		err = k.run(k.ofSuites(suites, &skip))
		leave()
		if err != nil {
			return err
		}
	}
	return nil
}

// run compares the jobs of a soak, which is ready when cases are compared.
func (k *soaking) run(jobs iter.Seq2[harness.Job, error]) error {
	return k.paced(jobs, func(result harness.Result) error {
		k.routes.Ready(true)
		return k.take(result)
	})
}

// paced compares jobs at the rate of the soak until it is time to end. A job that was taken is
// compared: it may be one that does not come again.
func (k *soaking) paced(jobs iter.Seq2[harness.Job, error], take func(harness.Result) error) error {
	paced := func(yield func(harness.Job, error) bool) {
		for job, err := range jobs {
			if !yield(job, err) || k.limit.Wait(k.stopping) != nil {
				return
			}
		}
	}
	return harness.Run(context.WithoutCancel(k.stopping), paced, harness.RunOptions{Parallel: k.session.options.parallel}, take)
}

// ofSuites gives the jobs of each suite in turn, after those that are to be skipped.
func (k *soaking) ofSuites(suites []*cases.Suite, skip *int) iter.Seq2[harness.Job, error] {
	return func(yield func(harness.Job, error) bool) {
		for _, suite := range suites {
			if k.events[suite.Name] == nil {
				k.events[suite.Name] = suite.Events(k.session.jobOptions(suite))
			}
			for event, err := range k.events[suite.Name] {
				job, isJob := event.(cases.Job)
				if err == nil && !isJob {
					k.record(suite, event)
					continue
				}
				if err == nil && *skip > 0 {
					*skip--
					continue
				}
				if !yield(job.Job, err) {
					return
				}
			}
		}
	}
}

// serve serves metrics and health; empty: nowhere.
func (k *soaking) serve(address string) (*serving, error) {
	if address == "" {
		return nil, nil
	}
	server, err := httpserver.ServeMetrics(address, k.routes)
	if err != nil {
		return nil, err
	}
	k.program.warn("serving http://%s/metrics, /healthz and /readyz\n", server.Address())
	return &serving{server}, nil
}

// take counts and keeps a result. Nothing else sees it, so that a redacted one is seen nowhere as it was.
func (k *soaking) take(result harness.Result) error {
	if k.redactor != nil {
		result = k.redactor.Result(result)
	}
	k.session.metrics.Observe(result)
	return k.folder.Take(result)
}

// end reports what all soaks in the folder found, and gives the exit status.
func (k *soaking) end(failed error) error {
	warnOf(k.program, k.session.requests.texts())
	for _, left := range k.session.leftOut {
		if k.redactor != nil {
			k.program.warn("diffrun: warning: cases left out: %d of targets that no suite has; --redact leaves out what their objects say they are\n", left.Cases)
			continue
		}
		k.program.warn("diffrun: warning: cases left out: %d of %s, a target that no suite has\n", left.Cases, left.Target)
	}
	state := k.folder.State()
	if failed != nil && state.Inputs == 0 {
		return nil // it did not begin
	}
	k.program.judges = true
	for _, line := range state.Summary() {
		_ = k.program.stdout.Printf("%s\n", line) // the program says that it failed
	}
	different, faults := state.Open()
	switch {
	case failed != nil:
		return nil
	case state.Inputs == 0:
		return &exitError{statusMistake, errors.New("nothing was compared, which proves nothing")}
	case faults > 0:
		return &exitError{status: statusFault}
	case different > 0:
		return &exitError{status: statusDifferent}
	}
	return nil
}
