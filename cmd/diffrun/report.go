package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/metrics"
	"github.com/diffrun/diffrun/reports"
)

func (p *program) reportCommand() *cobra.Command {
	var outputs []string
	var options runOptions
	command := &cobra.Command{
		Use:   "report RUN",
		Short: "Write a recorded run in other formats",
		Long: `Write a recorded run in other formats.

RUN is a report that diffrun wrote with -o json or -o jsonl; - is stdin. Nothing is
validated again and nothing is judged: the exit status is 0 if the report was
written. Objects and the stacks of panics are in no report, so the formats made of
one lack them.

  diffrun run -o jsonl=run.jsonl
  diffrun report run.jsonl -o markdown=summary.md -o junit=junit.xml`,
		RunE: func(command *cobra.Command, args []string) error {
			parsed, err := parseOutputs(outputs)
			options.outputs = parsed
			files := options.places(p)
			files.input("report", p.stdin, args...)
			err = errors.Join(err, files.check())
			if len(args) != 1 {
				err = errors.Join(err, errors.New("name one report of a run, or - for stdin"))
			}
			if err != nil {
				return usageError{err}
			}
			if err := p.verify(args[0]); err != nil {
				return err
			}
			unshown, err := p.writeReports(command.Context(), options, nil, func(to reports.Reporter) error { return p.play(args[0], to) })
			return errors.Join(unshown, err)
		},
	}
	outputFlag(command.Flags(), &outputs)
	command.Flags().BoolVarP(&options.verbose, "verbose", "v", false, "list accepted differences and versions that cannot express a case, too")
	command.Flags().StringVar(&options.prune, "prune", pruneDrop, "report: list the fields that were pruned for every case")
	return command
}

// writeReports opens the outputs of -o and of the metrics and lets play report to them. If
// that fails, files stay as they were. unshown says that the report on stdout is not whole.
func (p *program) writeReports(ctx context.Context, options runOptions, counted *metrics.Metrics, play func(reports.Reporter) error) (unshown, err error) {
	s := &session{options: options, metrics: counted} // one that compares nothing
	ctx, stop := interruptible(ctx, s.files.abandon)
	defer stop()
	if s.options.writesFiles() {
		defer catchBrokenPipe()()
	}
	if err := s.openOutputs(ctx, p.stdout, p.stdout.file); err != nil {
		return nil, err
	}
	err = play(stopping{s.reporter, ctx})
	if ctx.Err() != nil {
		err = &exitError{statusInterrupted, errors.New("interrupted; no report was written")}
	}
	if err != nil {
		return nil, errors.Join(err, s.files.discard())
	}
	s.writeMetrics()
	return s.stdout.unwritten(), s.files.close()
}

// stopping reports until a context ends.
type stopping struct {
	reports.Reporter
	ctx context.Context
}

func (s stopping) Result(r harness.Result) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	return s.Reporter.Result(r)
}

// verify reads a recorded run that can be read twice, before anything of it is shown: whether it is
// the one that was written is known at its end.
func (p *program) verify(file string) error {
	if info, err := os.Stat(file); file == infile.Stdin || err != nil || !info.Mode().IsRegular() {
		return nil // playing it says what is wrong
	}
	return p.play(file, taking{})
}

// play passes a recorded run to a reporter.
func (p *program) play(file string, to reports.Reporter) error {
	var in io.Reader = p.stdin
	if file != infile.Stdin {
		opened, err := openFile(context.Background(), file)
		if err != nil {
			return notRecorded(file, err)
		}
		defer opened.Close()
		in = opened
	}
	source := &readFailure{in: in}
	err := reports.Play(source, to)
	if source.failed != nil {
		return notRecorded(file, source.failed)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// readFailure keeps why a file cannot be read, which is no mistake in it.
type readFailure struct {
	in     io.Reader
	failed error
}

func (r *readFailure) Read(into []byte) (int, error) {
	n, err := r.in.Read(into)
	if err != nil && !errors.Is(err, io.EOF) {
		r.failed = err
	}
	return n, err
}

// notRecorded says what is wanted where a file cannot be read.
func notRecorded(file string, err error) error {
	return fmt.Errorf("%s cannot be read: %w; the report of a run is wanted (diffrun run -o jsonl=FILE), or - for stdin", file, infile.Cause(err))
}
