package run

import (
	"context"
	"errors"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/recorded"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/metrics"
	"github.com/diffrun/diffrun/reports"
)

// Report writes a recorded run in other formats.
func Report(ctx context.Context, c *terminal.Console, file string, options *OutputOptions) error {
	if err := recorded.Verify(c, file); err != nil {
		return err
	}
	unshown, err := writeReports(ctx, c, options, nil, func(to reports.Reporter) error { return recorded.Play(c, file, to) })
	return errors.Join(unshown, err)
}

// writeReports opens the outputs and calls play with a reporter that writes them. If it fails, files
// stay as they were. unshown is the error of writing the report on stdout.
func writeReports(ctx context.Context, c *terminal.Console, options *OutputOptions, counted *metrics.Metrics,
	play func(reports.Reporter) error) (unshown, err error) {
	var out outputs
	ctx, stop := terminal.Interruptible(ctx, out.files.Abandon)
	defer stop()
	if options.writesFiles() {
		defer terminal.CatchBrokenPipe()()
	}
	if err := out.open(ctx, options, c.Stdout, c.Stdout.File); err != nil {
		return nil, err
	}
	err = play(interruptibleReporter{options.linked(out.reporter), ctx})
	if ctx.Err() != nil {
		err = terminal.Exitf(terminal.Interrupted, "interrupted; no report was written")
	}
	if err != nil {
		return nil, errors.Join(err, out.files.Discard())
	}
	return out.stdout.err(), out.close(counted)
}

// interruptibleReporter fails when a context ends.
type interruptibleReporter struct {
	reports.Reporter
	ctx context.Context
}

func (r interruptibleReporter) Result(result harness.Result) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	return r.Reporter.Result(result)
}
