package harness

import (
	"context"
	"iter"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Job is a case with the harness that checks it.
type Job struct {
	Harness *Harness
	Case    Case
}

// RunOptions are the options of Run.
type RunOptions struct {
	// Parallel is how many cases are checked at once; zero: one for each core.
	Parallel int
}

// slot is a job on its way: it is queued in the order of the jobs, and filled
// by whichever worker takes it.
type slot struct {
	job     Job
	results chan []Result
}

// Run checks jobs in parallel and passes their results to sink, one at a time and in the
// order of the jobs. It holds only a few jobs for each worker at once.
//
// An error from jobs or from sink ends the run, and Run returns it. If ctx ends, Run takes
// no more jobs and returns the error of ctx; sink has got the results of all jobs before
// the first unfinished one.
func Run(ctx context.Context, jobs iter.Seq2[Job, error], options RunOptions, sink func(Result) error) error {
	parallel := options.Parallel
	if parallel <= 0 {
		parallel = runtime.GOMAXPROCS(0)
	}
	group, ctx := errgroup.WithContext(ctx)
	inOrder := make(chan slot, 2*parallel)
	work := make(chan slot)
	group.Go(func() error { return feed(ctx, jobs, inOrder, work) })
	var workers sync.WaitGroup
	for range parallel {
		workers.Go(func() { checkAll(ctx, work) })
	}
	group.Go(func() error { return drain(ctx, inOrder, sink) })
	err := group.Wait()
	workers.Wait()
	return err
}

// feed queues each job in order, then gives it to a worker.
func feed(ctx context.Context, jobs iter.Seq2[Job, error], inOrder, work chan<- slot) error {
	defer close(inOrder)
	defer close(work)
	for job, err := range jobs {
		if err != nil {
			return err
		}
		next := slot{job: job, results: make(chan []Result, 1)}
		for _, queue := range []chan<- slot{inOrder, work} {
			select {
			case queue <- next:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	}
	return nil
}

// checkAll works off slots. A case that an ended context cut short has no
// results: nothing is reported that was not compared to the end.
func checkAll(ctx context.Context, work <-chan slot) {
	for next := range work {
		results, err := next.job.Harness.Check(ctx, next.job.Case)
		if err != nil {
			results = nil
		}
		next.results <- results
	}
}

// drain hands on what the slots were filled with, in their order.
func drain(ctx context.Context, inOrder <-chan slot, sink func(Result) error) error {
	for next := range inOrder {
		select {
		case results := <-next.results:
			for _, result := range results {
				if err := sink(result); err != nil {
					return err
				}
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}
