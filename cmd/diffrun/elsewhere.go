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
		var routes []route
		var missed schema.GroupVersionKind
		for _, suite := range k.session.plan.Suites {
			if suite.Alone() {
				k.program.warn("diffrun: warning: suite %s sets feature gates and is left out: requests are compared with the default gates\n", suite.Name)
				continue
			}
			routes = append(routes, k.route(suite, len(routes) == 0, &missed))
		}
		for c, err := range all {
			if err != nil {
				yield(harness.Job{}, err)
				return
			}
			if !k.each(routes, &missed, c, yield) {
				return
			}
		}
	}
}

// route makes the job of a case for one suite; false: the suite has no target for it.
type route func(harness.Case) (harness.Job, bool, error)

// route makes the route of a suite. What no suite takes is counted once: by missed, and
// requests that are no cases by the first suite.
func (k *soaking) route(suite *cases.Suite, first bool, missed *schema.GroupVersionKind) route {
	options := k.jobOptions(suite)
	options.Missing = func(version schema.GroupVersionKind) { *missed = version }
	options.LeftOut = nil
	if first {
		options.LeftOut = k.ofNoCase
	}
	take, left := contained(suite.Taker(options)), k.session.plan.LeftTo(suite)
	return func(c harness.Case) (harness.Job, bool, error) {
		if left(c) {
			return harness.Job{}, false, nil
		}
		return take(c)
	}
}

// contained makes a panic of a route a fault of the case. It has no object then, so that the
// route does not come to the same place again.
func contained(take route) route {
	return func(c harness.Case) (job harness.Job, has bool, err error) {
		panicked := error(nil)
		func() {
			defer harness.Recover(&panicked)
			job, has, err = take(c)
		}()
		if fault := (*harness.Fault)(nil); errors.As(panicked, &fault) {
			c.Version, c.Object, c.Old, c.Fault = schema.GroupVersionKind{}, nil, nil, fault
			return take(c)
		}
		return job, has, err
	}
}

// each gives the job of a case for each suite that takes it; false: no more are wanted.
func (k *soaking) each(routes []route, missed *schema.GroupVersionKind, c harness.Case, yield func(harness.Job, error) bool) bool {
	taken := false
	*missed = schema.GroupVersionKind{}
	for _, take := range routes {
		job, has, err := take(c)
		if err == nil && !has {
			continue
		}
		taken = true
		if !yield(job, err) {
			return false
		}
		if job.Case.Fault != nil {
			break // no suite can read it
		}
	}
	if !taken && !missed.Empty() {
		k.ofNoTarget(*missed)
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

// jobOptions are what the jobs of a suite are compared by. A soak may have no end, so what is
// wrong with a schema is said at once.
func (k *soaking) jobOptions(suite *cases.Suite) cases.JobOptions {
	options := k.session.jobOptions(suite)
	options.Broken = func(_ schema.GroupVersionKind, why error) {
		warnOf(k.program, []string{fmt.Sprintf("%s: %v", suite.File, why)})
	}
	return options
}
