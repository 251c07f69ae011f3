package main

import (
	"errors"
	"fmt"
	"iter"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
)

// fromElsewhere gives the jobs of cases that are not from a suite. Each suite with a target for a
// case compares it; of suites with the same comparison, such as the bundled ones, only one does.
func (k *soaking) fromElsewhere(all iter.Seq2[harness.Case, error]) iter.Seq2[harness.Job, error] {
	return func(yield func(harness.Job, error) bool) {
		var routes []suiteRoute
		for _, suite := range k.session.plan.Suites {
			if suite.Alone() {
				k.program.warn("diffrun: warning: suite %s sets feature gates and is left out: requests are compared with the default gates\n", suite.Name)
				continue
			}
			routes = append(routes, suiteRoute{suite, k.route(suite)})
		}
		for c, err := range all {
			if err != nil {
				yield(harness.Job{}, err)
				return
			}
			if !k.each(routes, c, yield) {
				return
			}
		}
	}
}

// route returns the events of a case in a suite. A job is the last of them.
type route func(harness.Case) ([]cases.Event, error)

// suiteRoute is the route of a suite.
type suiteRoute struct {
	suite *cases.Suite
	route route
}

// route returns the route of a suite. It leaves out cases that another suite compares in the same
// way.
func (k *soaking) route(suite *cases.Suite) route {
	bind, left := contained(suite.Binder(k.session.jobOptions(suite))), k.session.plan.LeftTo(suite)
	return func(c harness.Case) ([]cases.Event, error) {
		if left(c) {
			return nil, nil
		}
		return bind(c)
	}
}

// contained makes a panic of a route a fault of the case. It has no object then, so that the
// route does not come to the same place again.
func contained(bind route) route {
	return func(c harness.Case) (events []cases.Event, err error) {
		panicked := error(nil)
		func() {
			defer harness.Recover(&panicked)
			events, err = bind(c)
		}()
		if fault := (*harness.Fault)(nil); errors.As(panicked, &fault) {
			c.Version, c.Object, c.Old, c.Fault = schema.GroupVersionKind{}, nil, nil, fault
			return bind(c)
		}
		return events, err
	}
}

// jobOf returns the job among the events of a case.
func jobOf(events []cases.Event) (harness.Job, bool) {
	if len(events) == 0 {
		return harness.Job{}, false
	}
	job, isJob := events[len(events)-1].(cases.Job)
	return job.Job, isJob
}

// each yields the job of a case for each suite that has a target for it, and returns false if no
// more are wanted. A case without any job is counted once.
func (k *soaking) each(routes []suiteRoute, c harness.Case, yield func(harness.Job, error) bool) bool {
	var skipped *cases.Skipped
	compared := false
	for _, to := range routes {
		events, err := to.route(c)
		if err != nil {
			return yield(harness.Job{}, err)
		}
		for _, event := range events {
			switch event := event.(type) {
			case cases.Job:
				compared = true
				if !yield(event.Job, nil) {
					return false
				}
				if event.Case.Fault != nil {
					return true // no suite can read it
				}
			case cases.Skipped:
				skipped = &event
			default:
				k.record(to.suite, event)
			}
		}
	}
	switch {
	case compared || skipped == nil:
	case skipped.Reason == cases.NoTarget:
		k.ofNoTarget(skipped.Version)
	case skipped.Reason == cases.NotACase:
		k.ofNoCase(skipped.Detail)
	}
	return true
}

// stdin gives the cases on stdin until it is time to end. A read from a pipe cannot be broken
// off, so it goes on by itself.
func (k *soaking) stdin() iter.Seq2[harness.Case, error] {
	type read struct {
		of  harness.Case
		err error
	}
	lines := make(chan read)
	go func() {
		defer close(lines)
		for c, err := range cases.Lines(k.program.stdin, "stdin") {
			select {
			case lines <- read{c, err}:
			case <-k.stopping.Done():
				return
			}
		}
	}()
	return func(yield func(harness.Case, error) bool) {
		for {
			select {
			case line, open := <-lines:
				if !open || !yield(line.of, line.err) {
					return
				}
			case <-k.stopping.Done():
				return
			}
		}
	}
}

// record records an event of a suite that is not a job. A soak may have no end, so it reports a
// broken schema at once.
func (k *soaking) record(suite *cases.Suite, event cases.Event) {
	if broken, is := event.(cases.BrokenSchema); is {
		warnOf(k.program, []string{fmt.Sprintf("%s: %v", suite.File, broken.Err)})
		return
	}
	k.session.record(suite, event)
}
