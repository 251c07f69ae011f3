package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/infile"
	"github.com/diffrun/diffrun/internal/rundiff"
	"github.com/diffrun/diffrun/reports"
)

func (p *program) compareCommand() *cobra.Command {
	var outputs []string
	command := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "Say what a run shows that an earlier one did not",
		Long: `Say what a run shows that an earlier one did not.

OLD and NEW are reports that diffrun wrote with -o json or -o jsonl; one of them may
be - for stdin. Inputs are the same if suite, case, target, operation and
subresource are. What rules and exceptions explain is no difference.

New is what only NEW shows, gone what only OLD shows of an input that both have,
changed what both show with one class, at one field, in other words.

Exit status: 0 nothing is new; 1 something is new, or the verdict of an input with
a difference changes that did not change in OLD, or NEW is incomplete; 2 a report
cannot be read; 3 NEW has a fault that OLD has not.`,
		Example: `  # on a branch: nothing may be new
  diffrun run -o jsonl=new.jsonl || true
  diffrun compare main.jsonl new.jsonl`,
		Args: arguments(2, 2, "two reports, OLD and NEW"),
		RunE: func(command *cobra.Command, args []string) error {
			parsed, err := documentOutputs(outputs, rundiff.Formats())
			if args[0] == infile.Stdin && args[1] == infile.Stdin {
				err = errors.Join(err, errors.New("only one of the reports can be stdin"))
			}
			if err != nil {
				return usageError{err}
			}
			return p.compareRuns(command.Context(), args[0], args[1], parsed)
		},
	}
	documentFlag(command.Flags(), &outputs, "write the comparison", rundiff.Formats())
	return command
}

func (p *program) compareRuns(ctx context.Context, oldFile, newFile string, outputs []output) error {
	comparison := &rundiff.Comparison{}
	var newest reports.Footer
	if err := p.play(oldFile, taking{result: func(r harness.Result) error { comparison.AddOld(r); return nil }}); err != nil {
		return err
	}
	comparison.BeginNew()
	err := p.play(newFile, taking{
		result: func(r harness.Result) error { comparison.AddNew(r); return nil },
		footer: func(footer reports.Footer) { newest = footer },
	})
	if err != nil {
		return err
	}
	comparison.Finish()
	err = p.writeDocuments(ctx, outputs, func(format string, w io.Writer) error {
		return comparison.Write(w, format, rundiff.Runs{Old: oldFile, New: newFile})
	})
	switch {
	case err != nil:
		return err
	case comparison.NewFaults > 0:
		return &exitError{status: statusFault}
	case newest.Incomplete:
		return &exitError{statusDifferent, fmt.Errorf("%s is incomplete: what its run did not reach cannot be compared", newFile)}
	case comparison.Fails():
		return &exitError{status: statusDifferent}
	}
	return nil
}

// taking hands what is played to functions, those that are there.
type taking struct {
	header func(reports.Header)
	result func(harness.Result) error
	footer func(reports.Footer)
}

func (t taking) Begin(header reports.Header) error {
	if t.header != nil {
		t.header(header)
	}
	return nil
}

func (t taking) Result(r harness.Result) error {
	if t.result != nil {
		return t.result(r)
	}
	return nil
}

func (t taking) End(footer reports.Footer) error {
	if t.footer != nil {
		t.footer(footer)
	}
	return nil
}
