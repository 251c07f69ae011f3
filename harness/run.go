package harness

import (
	"context"
	"iter"

	"github.com/diffrun/diffrun/internal/parallel"
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
	// Abandon: Run does not wait for the reading of a job, which may block on a terminal or a pipe.
	Abandon bool
}

// Run checks jobs in parallel and passes their results to sink, one at a time and in the
// order of the jobs. It holds only a few jobs for each worker at once.
//
// An error from jobs or from sink ends the run, and Run returns it. If ctx ends, Run stops
// taking jobs and returns the error of ctx; sink has received the results of all jobs before
// the first unfinished one.
func Run(ctx context.Context, jobs iter.Seq2[Job, error], options RunOptions, sink func(Result) error) error {
	queue := parallel.Queue[Job, []Result]{
		Parallel: options.Parallel, Abandon: options.Abandon,
		Do: func(ctx context.Context, job Job) ([]Result, error) { return job.Harness.Check(ctx, job.Case) },
		Take: func(results []Result) error {
			for _, result := range results {
				if err := sink(result); err != nil {
					return err
				}
			}
			return nil
		},
	}
	return queue.Run(ctx, jobs)
}
