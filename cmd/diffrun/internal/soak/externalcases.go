package soak

import (
	"errors"
	"iter"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/findings/causes"
)

// externalJobs returns the jobs of cases that do not come from the suites. Each suite that has a
// target for a case compares it; of suites that compare the same, such as the bundled ones, only one
// does.
func (r *runner) externalJobs(all iter.Seq2[harness.Case, error]) iter.Seq2[harness.Job, error] {
	return func(yield func(harness.Job, error) bool) {
		var binders []suiteBinder
		for _, suite := range r.plan.Suites {
			if suite.Alone() {
				r.env.Warn("diffrun: warning: suite %s sets feature gates and is left out: requests are compared with the default gates\n",
					suite.Name)
				continue
			}
			binders = append(binders, suiteBinder{suite, r.binder(suite)})
		}
		for c, err := range all {
			if err != nil {
				yield(harness.Job{}, err)
				return
			}
			if !r.bind(binders, c, yield) {
				return
			}
		}
	}
}

// binder returns the events of an external case in a suite. A job is the last of them.
type binder func(harness.Case) ([]cases.Event, error)

type suiteBinder struct {
	suite *cases.Suite
	bind  binder
}

// binder returns the binder of a suite. It returns no event for a case that another suite compares in
// the same way.
func (r *runner) binder(suite *cases.Suite) binder {
	bind, redundant := recovering(suite.Binder(r.jobOptions(suite))), r.plan.Redundant(suite)
	return func(c harness.Case) ([]cases.Event, error) {
		if redundant(c) {
			return nil, nil
		}
		return bind(c)
	}
}

// recovering turns a panic of a binder into a fault of the case. The case then has no object, so that
// binding it again does not panic.
func recovering(bind binder) binder {
	return func(c harness.Case) (events []cases.Event, err error) {
		panicked := error(nil)
		func() {
			defer contract.Recover(&panicked)
			events, err = bind(c)
		}()
		if fault := (*contract.Fault)(nil); errors.As(panicked, &fault) {
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

// bind yields the job of a case for each suite that compares it, and returns false if yield
// wants no further ones. A case that no suite compares is counted once.
func (r *runner) bind(binders []suiteBinder, c harness.Case, yield func(harness.Job, error) bool) bool {
	var skipped *cases.Skipped
	compared := false
	for _, to := range binders {
		events, err := to.bind(c)
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
				r.recordEvent(to.suite, event)
			}
		}
	}
	if !compared && skipped != nil {
		r.skipped(*skipped)
	}
	return true
}

// countSkipped counts a case that no suite compares.
func (r *runner) countSkipped(skipped cases.Skipped) {
	switch skipped.Reason {
	case cases.NoTarget, cases.NoGuard:
		_ = r.countNoTarget(skipped.Version)
	case cases.NotACase:
		r.countNoCase(skipped.Detail)
	}
}

// countNoTarget counts a case without a target, and reports whether it is the first of its version.
func (r *runner) countNoTarget(version schema.GroupVersionKind) (first bool) {
	if r.redactor != nil {
		version = schema.GroupVersionKind{} // the object names it
	}
	return r.noTarget.Add("", version)
}

// countNoCase counts a recorded request that is not a case.
func (r *runner) countNoCase(reason string) {
	if r.redactor != nil {
		reason = causes.GeneralText(reason) // it quotes the request
	}
	r.noCase.Add(reason)
}

// stdinCases returns the cases on stdin until it is time to end. Reading a pipe cannot be interrupted,
// so a goroutine reads.
func (r *runner) stdinCases() iter.Seq2[harness.Case, error] {
	type line struct {
		c   harness.Case
		err error
	}
	lines := make(chan line)
	go func() {
		defer close(lines)
		for c, err := range cases.Lines(r.env.Stdin, "stdin") {
			select {
			case lines <- line{c, err}:
			case <-r.stopping.Done():
				return
			}
		}
	}()
	return func(yield func(harness.Case, error) bool) {
		for {
			select {
			case line, open := <-lines:
				if !open || !yield(line.c, line.err) {
					return
				}
			case <-r.stopping.Done():
				return
			}
		}
	}
}
