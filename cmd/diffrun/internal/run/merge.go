package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/recorded"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/bucket"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/findings/gate"
	"github.com/diffrun/diffrun/metrics"
	"github.com/diffrun/diffrun/reports"
)

// MergeOptions are the flags of "diffrun merge".
type MergeOptions struct {
	OutputOptions
	failOn gate.Gate
}

// AddFlags adds the flags.
func (o *MergeOptions) AddFlags(set *pflag.FlagSet) {
	o.OutputOptions.AddFlags(set)
	set.StringSliceVar((*[]string)(&o.failOn), "fail-on", nil, "as for diffrun run: exit with 1 only for these effects, "+
		"classes of differences, and unmet expectations; by default, the flag of the shards applies")
	set.StringVar(&o.metricsFile, "metrics-file", "", "write the metrics of the whole run to this file, in the text format")
}

// Merge joins the reports of the shards of a run.
func Merge(ctx context.Context, c *terminal.Console, args []string, options *MergeOptions) error {
	errs := []error{options.Parse()}
	files := options.Files(c)
	errs = append(errs, files.Check(), checkFailOn(options.failOn))
	if len(args) == 0 {
		errs = append(errs, errors.New("name the reports of all shards"))
	}
	if slices.Contains(args, infile.Stdin) {
		errs = append(errs, errors.New("shards are read twice, so none can be stdin"))
	}
	if err := errors.Join(errs...); err != nil {
		return terminal.Usage(err)
	}
	names, err := shardFiles(ctx, args)
	if err != nil {
		return terminal.Usage(err)
	}
	files.Input("shard", names...)
	if err := files.Check(); err != nil {
		return terminal.Usage(err)
	}
	return merge(ctx, c, names, options)
}

// shardFiles replaces patterns of objects in buckets, which shells do not expand, by the objects.
func shardFiles(ctx context.Context, args []string) ([]string, error) {
	var files []string
	for _, arg := range args {
		if !bucket.Is(arg) || !strings.ContainsAny(arg, "*[") {
			files = append(files, arg)
			continue
		}
		objects, err := fs.Glob(terminal.Storage(ctx), arg)
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

func merge(ctx context.Context, c *terminal.Console, files []string, options *MergeOptions) error {
	whole, err := readShards(c, files, options.failOn)
	if err != nil {
		return err
	}
	if len(options.failOn) > 0 {
		whole.header.FailOn = options.failOn
	}
	counted := metrics.New()
	var problems []string
	var summary harness.Summary
	var panics panics
	var refused refusals
	unshown, err := writeReports(ctx, c, &options.OutputOptions, counted, func(to reports.Reporter) error {
		if err := to.Begin(whole.header); err != nil {
			return err
		}
		for result, err := range renumber(mergeResults(c, files), whole.byFile) {
			if err != nil {
				return err
			}
			summary.Add(result)
			panics.add(&result)
			refused.add(result)
			counted.Observe(result)
			if err := to.Result(result); err != nil {
				return err
			}
		}
		problems = append(panics.problems(whole.tally.Suites), problemsOf(*whole.tally, summary.Cases, &refused)...)
		footer := whole.footer
		footer.Summary, footer.Problems, footer.Notes, footer.Tally = summary, problems, guardNotes(*whole.tally), nil
		return to.End(footer)
	})
	switch {
	case err != nil:
		return err
	case summary.Cases == 0:
		return &terminal.ExitError{Status: terminal.Mistake, Reason: errors.Join(unshown, errNoCase)}
	}
	ended := &terminal.ExitError{Status: judge(summary, problems, whole.header.FailOn), Reason: unshown}
	return ended.OrNil()
}

// mergeResults returns the results of all shards in the order of the whole run.
func mergeResults(c *terminal.Console, files []string) iter.Seq2[harness.Result, error] {
	return func(yield func(harness.Result, error) bool) {
		var shards []*shardReader
		for _, file := range files {
			next, stop := iter.Pull2(shardResults(c, file))
			defer stop()
			shard := &shardReader{next: next}
			shard.advance()
			shards = append(shards, shard)
		}
		for {
			var first *shardReader
			for _, shard := range shards {
				if shard.more && (first == nil || shard.before(first)) {
					first = shard
				}
			}
			if first == nil || !yield(first.result, first.err) || first.err != nil {
				return
			}
			first.advance()
		}
	}
}

// renumber numbers cases as in a single run, if shards consist of whole files.
func renumber(results iter.Seq2[harness.Result, error], byFile bool) iter.Seq2[harness.Result, error] {
	if !byFile {
		return results
	}
	return func(yield func(harness.Result, error) bool) {
		var read, last *harness.Case
		number := 0
		for result, err := range results {
			if err == nil && (last == nil || result.Case != read) {
				number++
				renumbered := *result.Case
				renumbered.Number = number
				read, last = result.Case, &renumbered
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

// shardReader reads the results of a shard one by one.
type shardReader struct {
	next   func() (harness.Result, error, bool)
	result harness.Result
	err    error
	more   bool
}

func (r *shardReader) advance() { r.result, r.err, r.more = r.next() }

// before reports whether the result comes before that of another shard. An error comes first.
func (r *shardReader) before(other *shardReader) bool {
	return r.result.Case == nil || other.result.Case != nil && r.result.Case.Number < other.result.Case.Number
}

// errStopped ends the reading of a report whose rest is not wanted.
var errStopped = errors.New("stopped")

// shardResults returns the results of a recorded run.
func shardResults(c *terminal.Console, file string) iter.Seq2[harness.Result, error] {
	return func(yield func(harness.Result, error) bool) {
		err := recorded.Play(c, file, recorded.Handler{Results: func(r harness.Result) error {
			if !yield(r, nil) {
				return errStopped
			}
			return nil
		}})
		if err != nil && !errors.Is(err, errStopped) {
			yield(harness.Result{}, err)
		}
	}
}
