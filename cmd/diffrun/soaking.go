package main

import (
	"context"
	"iter"

	"golang.org/x/time/rate"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/soak"
)

// soaking is a soak that runs.
type soaking struct {
	program  *program
	session  *session
	folder   *soak.Folder
	routes   *soak.Routes
	stopping context.Context // ends when no more cases are to be taken
	limit    *rate.Limiter
	jobs     map[string]suiteJobs // by suite: schemas are compiled once
}

type suiteJobs iter.Seq2[harness.Job, error]

// all runs what there is until it is time to end. Cases that are being compared then are
// finished, so that their results are not lost.
func (k *soaking) all(stdin bool) error {
	defer k.routes.Ready(false)
	if stdin {
		return k.run(k.fromStdin())
	}
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

// run compares jobs at the rate of the soak until it is time to end.
func (k *soaking) run(jobs iter.Seq2[harness.Job, error]) error {
	paced := func(yield func(harness.Job, error) bool) {
		for job, err := range jobs {
			if k.stopping.Err() != nil || err == nil && k.limit.Wait(k.stopping) != nil {
				return
			}
			if !yield(job, err) {
				return
			}
		}
	}
	return harness.Run(context.WithoutCancel(k.stopping), paced, harness.RunOptions{Parallel: k.session.options.parallel}, k.take)
}

// ofSuites gives the jobs of each suite in turn, after those that are to be skipped.
func (k *soaking) ofSuites(suites []*cases.Suite, skip *int) iter.Seq2[harness.Job, error] {
	return func(yield func(harness.Job, error) bool) {
		for _, suite := range suites {
			if k.jobs[suite.Name] == nil {
				k.jobs[suite.Name] = suiteJobs(suite.Jobs(k.session.jobOptions(suite)))
			}
			for job, err := range k.jobs[suite.Name] {
				if err == nil && *skip > 0 {
					*skip--
					continue
				}
				if !yield(job, err) {
					return
				}
			}
		}
	}
}

// fromStdin gives the jobs of the cases on stdin, by each suite that has their target.
func (k *soaking) fromStdin() iter.Seq2[harness.Job, error] {
	return func(yield func(harness.Job, error) bool) {
		var routes []route
		var missed schema.GroupVersionKind
		for _, suite := range k.session.plan.Suites {
			if suite.Alone() {
				k.program.warn("diffrun: warning: suite %s sets feature gates and is left out: requests on stdin are compared with the default gates\n", suite.Name)
				continue
			}
			routes = append(routes, k.route(suite, len(routes) == 0, &missed))
		}
		for c, err := range k.read() {
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
	options := k.session.jobOptions(suite)
	options.Missing = func(version schema.GroupVersionKind) { *missed = version }
	if !first {
		options.LeftOut = nil
	}
	return suite.Taker(options)
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
		k.session.leftOut.add("", *missed)
	}
	return true
}

// read gives the cases on stdin until it is time to end. A read from a pipe cannot be broken
// off, so it goes on by itself.
func (k *soaking) read() iter.Seq2[harness.Case, error] {
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
