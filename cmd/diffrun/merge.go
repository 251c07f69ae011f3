package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/bucket"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/metrics"
	"github.com/diffrun/diffrun/reports"
)

func (p *program) mergeCommand() *cobra.Command {
	var outputs []string
	var options runOptions
	command := &cobra.Command{
		Use:   "merge SHARD...",
		Short: "Join the reports of the shards of a run",
		Long: `Join the reports of the shards of a run.

Each SHARD is a report that "diffrun run --shard i/n" wrote with -o json or -o jsonl.
All n are needed, each once, of the same cases, suites, flags and version of diffrun.
What is written is what one run writes, but for times, and so is the exit status:
stale exceptions, unused rules and validators that never reported an error are looked
for here, because a shard cannot know. In the URL of an object of a bucket, * stands for
any part of a name but a slash, as in s3://results/*.jsonl.

  diffrun run --shard 1/2 -o jsonl=1.jsonl    # each on a machine of its own
  diffrun run --shard 2/2 -o jsonl=2.jsonl
  diffrun merge 1.jsonl 2.jsonl -o text -o markdown=summary.md`,
		RunE: func(command *cobra.Command, args []string) error {
			parsed, err := parseOutputs(outputs)
			options.outputs = parsed
			written := options.places(p)
			errs := []error{err, written.check(), checkFailOn(options.failOn)}
			if len(args) == 0 {
				errs = append(errs, errors.New("name the reports of all shards"))
			}
			if slices.Contains(args, infile.Stdin) {
				errs = append(errs, errors.New("shards are read twice, so none can be stdin"))
			}
			if err := errors.Join(errs...); err != nil {
				return usageError{err}
			}
			files, err := shardFiles(command.Context(), args)
			if err != nil {
				return usageError{err}
			}
			written.input("shard", p.stdin, files...)
			if err := written.check(); err != nil {
				return usageError{err}
			}
			return p.merge(command.Context(), files, options)
		},
	}
	set := command.Flags()
	outputFlag(set, &outputs)
	set.StringSliceVar((*[]string)(&options.failOn), "fail-on", nil, "as for diffrun run: let only these effects, classes of differences and unmet expectations give 1; without it, what the shards were run with decides")
	set.StringVar(&options.metricsFile, "metrics-file", "", "write the metrics of the whole run to this file, in the text format")
	set.BoolVarP(&options.verbose, "verbose", "v", false, "list accepted differences and versions that cannot express a case, too")
	set.StringVar(&options.prune, "prune", pruneDrop, "report: list the fields that were pruned for every case")
	return command
}

// shardFiles replaces patterns of objects in buckets by the objects, which no shell does.
func shardFiles(ctx context.Context, args []string) ([]string, error) {
	var files []string
	for _, arg := range args {
		if !bucket.Is(arg) || !strings.ContainsAny(arg, "*[") {
			files = append(files, arg)
			continue
		}
		objects, err := fs.Glob(disk(ctx), arg)
		switch {
		case err != nil:
			return nil, err
		case len(objects) == 0:
			return nil, fmt.Errorf("no object matches %s", arg)
		}
		files = append(files, objects...)
	}
	return files, nil
}

func (p *program) merge(ctx context.Context, files []string, options runOptions) error {
	whole, err := p.readShards(files, options.failOn)
	if err != nil {
		return err
	}
	if len(options.failOn) > 0 {
		whole.header.FailOn = options.failOn
	}
	counted := metrics.New()
	var problems []string
	var summary harness.Summary
	unshown, err := p.writeReports(ctx, options, counted, func(to reports.Reporter) error {
		if err := to.Begin(whole.header); err != nil {
			return err
		}
		for result, err := range numbered(p.merged(files), whole.byFile) {
			if err != nil {
				return err
			}
			summary.Add(result)
			counted.Observe(result)
			if err := to.Result(result); err != nil {
				return err
			}
		}
		problems = problemsOf(*whole.tally, summary.Cases)
		footer := whole.footer
		footer.Summary, footer.Problems, footer.Tally = summary, problems, nil
		return to.End(footer)
	})
	switch {
	case err != nil:
		return err
	case summary.Cases == 0:
		return &exitError{statusMistake, errors.Join(unshown, errors.New("no case: a run that compares nothing proves nothing"))}
	}
	return (&exitError{judge(summary, problems, whole.header.FailOn), unshown}).orNil()
}

// merged gives the results of all shards in the order of the whole run.
func (p *program) merged(files []string) iter.Seq2[harness.Result, error] {
	return func(yield func(harness.Result, error) bool) {
		var shards []*pulledShard
		for _, file := range files {
			next, stop := iter.Pull2(p.results(file))
			defer stop()
			shards = append(shards, &pulledShard{next: next})
		}
		for _, shard := range shards {
			shard.pull()
		}
		for {
			first := -1
			for i, shard := range shards {
				if shard.ok && (first < 0 || shard.result.Case == nil || shards[first].result.Case != nil && shard.result.Case.Number < shards[first].result.Case.Number) {
					first = i
				}
			}
			if first < 0 || !yield(shards[first].result, shards[first].err) || shards[first].err != nil {
				return
			}
			shards[first].pull()
		}
	}
}

// numbered numbers the cases of a run as one run does, if its shards have whole files.
func numbered(results iter.Seq2[harness.Result, error], byFile bool) iter.Seq2[harness.Result, error] {
	if !byFile {
		return results
	}
	return func(yield func(harness.Result, error) bool) {
		var read, last *harness.Case
		number := 0
		for result, err := range results {
			if err == nil && (last == nil || result.Case != read) {
				number++
				of := *result.Case
				of.Number = number
				read, last = result.Case, &of
			}
			if err == nil {
				result.Case = last
			}
			if !yield(result, err) {
				return
			}
		}
	}
}

// pulledShard is a shard whose results are taken one by one.
type pulledShard struct {
	next   func() (harness.Result, error, bool)
	result harness.Result
	err    error
	ok     bool
}

func (s *pulledShard) pull() { s.result, s.err, s.ok = s.next() }

// errEnough ends the reading of a report whose rest nobody wants.
var errEnough = errors.New("enough")

// results gives the results of a recorded run.
func (p *program) results(file string) iter.Seq2[harness.Result, error] {
	return func(yield func(harness.Result, error) bool) {
		err := p.play(file, taking{result: func(r harness.Result) error {
			if !yield(r, nil) {
				return errEnough
			}
			return nil
		}})
		if err != nil && !errors.Is(err, errEnough) {
			yield(harness.Result{}, err)
		}
	}
}
