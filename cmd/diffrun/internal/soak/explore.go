package soak

import (
	"context"
	"errors"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/exploring"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/heap"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/findings/asking"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// explore explores all targets in turn until it is time to end. A soak that goes on in a folder
// tries the changes in another order than those before it.
func (r *runner) explore(seed uint64, corpus string) error {
	heap.Limit(heap.Small)
	options := exploring.Options{
		Seed: seed + uint64(r.folder.State().Position), Parallel: r.options.Parallel, Warn: r.env.Warn, Corpus: exploring.NewCorpus(corpus),
		Jobs: func(suite *cases.Suite) cases.JobOptions {
			jobs := r.jobOptions(suite)
			jobs.Harness.Stored = true
			return jobs
		},
		Observe: func(_ *exploring.Target, results []harness.Result) error {
			r.routes.Ready(true)
			for _, result := range results {
				if asking.Undecodable(&result) {
					r.undecodable++
				} else if err := r.count(result); err != nil {
					return err
				}
			}
			if r.limit.Wait(r.stopping) != nil {
				return errOver
			}
			return nil
		},
		Found: r.keep,
	}
	targets, err := exploring.Targets(r.plan, options)
	if err != nil {
		return err
	}
	r.env.Warn("diffrun: objects are made for %s, seed %d\n", plaintext.Count(len(targets), "target"), seed)
	for round := 0; ; round++ {
		for _, target := range targets {
			if !target.Due(round) {
				continue
			}
			ctx := r.stopping
			if r.folder.State().Inputs == 0 { // the time is not to be over before anything was compared
				ctx = context.WithoutCancel(ctx)
			}
			if err := target.Step(ctx, options); r.stopping.Err() != nil || errors.Is(err, errOver) {
				for _, line := range exploring.SiteLines(context.WithoutCancel(ctx), r.plan, r.source.counter) {
					r.env.Warn("diffrun: %s\n", line)
				}
				return errors.Join(exploring.Flush(context.WithoutCancel(r.stopping), targets), options.Corpus.Save(targets))
			} else if err != nil {
				return err
			}
			if err := options.Corpus.SaveSometimes(targets); err != nil {
				return err
			}
		}
	}
}

// errOver says that the soak ends before the next input.
var errOver = errors.New("the time is over")

// count counts a result of an input that was made.
func (r *runner) count(result harness.Result) error {
	if r.redactor != nil {
		result = r.redactor.Result(result)
	}
	r.metrics.Observe(result)
	return r.folder.Count(result)
}

// keep keeps the findings of the small case of one.
func (r *runner) keep(_ *exploring.Target, _ explore.Found, results []harness.Result) error {
	for _, result := range results {
		if r.redactor != nil {
			result = r.redactor.Result(result)
		}
		if err := r.folder.Keep(result); err != nil {
			return err
		}
	}
	return nil
}
