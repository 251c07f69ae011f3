package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/diffrun/diffrun/dev/upstream/agreement"
	"github.com/diffrun/diffrun/dev/upstream/capture"
	"github.com/diffrun/diffrun/internal/files/outfile"
)

type flags struct {
	verbose     bool
	calls, keep string
	diffrun     string
}

func main() {
	var f flags
	flag.BoolVar(&f.verbose, "v", false, "write out each call that compares different, explained or not")
	flag.StringVar(&f.calls, "calls", "", "take the calls that -keep wrote to this `file` instead of running the tests")
	flag.StringVar(&f.keep, "keep", "", "write the calls to this `file`, a JSON object a line")
	flag.StringVar(&f.diffrun, "diffrun", "", "the diffrun `command` to ask in lines; none: it is built")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if err := run(ctx, os.Stdout, f); err != nil {
		fmt.Fprintln(os.Stderr, "upstream:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, f flags) (err error) {
	temporary, err := os.MkdirTemp("", "diffrun-upstream-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }()
	calls, err := f.capture(ctx, out, temporary)
	if err != nil {
		return err
	}
	report, err := agreement.Compare(ctx, calls)
	if err != nil {
		return err
	}
	if f.diffrun == "" {
		f.diffrun = filepath.Join(temporary, "diffrun")
		if text, err := exec.CommandContext(ctx, "go", "-C", "..", "build", "-o", f.diffrun, "./cmd/diffrun").CombinedOutput(); err != nil {
			return fmt.Errorf("go build: %w\n%s", err, text)
		}
	}
	lines, err := agreement.CompareLines(ctx, f.diffrun, calls)
	if err != nil {
		return err
	}
	report.Merge(lines)
	checks, err := agreement.CompareChecks(ctx, f.diffrun, temporary, calls)
	if err != nil {
		return err
	}
	report.Merge(checks)
	if f.verbose {
		writeFindings(out, report.Findings)
	}
	rows := summarize(report.Findings)
	writeTable(out, rows)
	writeApart(out, report)
	return errors.Join(append(belowFloors(rows), unused(report)...)...)
}

func (f flags) capture(ctx context.Context, out io.Writer, temporary string) ([]*capture.Call, error) {
	if f.calls != "" {
		in, err := os.Open(f.calls)
		if err != nil {
			return nil, err
		}
		defer in.Close()
		return capture.Read(in)
	}
	result, err := capture.Run(ctx, temporary)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(out, "%s %s: %d calls of %d functions, captured from its unit tests\n", capture.Module, result.Version,
		len(result.Calls), len(result.Recorded))
	for _, skipped := range result.Skipped {
		fmt.Fprintln(out, "not run:", skipped)
	}
	if f.keep != "" {
		return result.Calls, keep(ctx, f.keep, result.Calls)
	}
	return result.Calls, nil
}

func keep(ctx context.Context, file string, calls []*capture.Call) error {
	to, err := outfile.Open(ctx, file)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(to)
	for _, c := range calls {
		to.Fail(encoder.Encode(c))
	}
	return to.Close()
}
