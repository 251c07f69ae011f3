package main

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/recorded"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/findings/rundiff"
	"github.com/diffrun/diffrun/reports"
)

func (p *program) compareCommand() *cobra.Command {
	var outputs []string
	command := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "Show the differences of a run that an earlier one did not have",
		Long: `Show the differences of a run that an earlier one did not have.

OLD and NEW are reports that diffrun wrote with -o json or -o jsonl; one of them may
be - for stdin. Inputs are the same if suite, case, target, operation and
subresource are. Errors that rules and exceptions explain are not differences.

New is a difference that only NEW has; gone is one that only OLD has, of an input that
both have; changed is one that both have with the same class and field but different
messages.

If a run was narrowed, ended early or had different flags, the output says so.

Exit status: 0 nothing is new; 1 something is new, or the verdict of an input with
a difference changes that did not change in OLD, or NEW has a problem that OLD does
not have, such as a stale exception, or NEW is incomplete; 2 a report cannot be read
or was modified, or the runs have no input in common; 3 NEW has a fault that OLD does
not have. --fail-on of the runs does not matter.`,
		Example: `  # on a branch: nothing may be new
  diffrun run -o jsonl=new.jsonl || true
  diffrun compare main.jsonl new.jsonl

  # for a pull request: a comment, annotations, and a page
  diffrun compare main.jsonl new.jsonl -o markdown=comment.md -o github -o html=new.html`,
		Args: arguments(2, 2, "two reports, OLD and NEW"),
		RunE: func(command *cobra.Command, args []string) error {
			parsed, err := terminal.DocumentOutputs(outputs, rundiff.Formats())
			if args[0] == infile.Stdin && args[1] == infile.Stdin {
				err = errors.Join(err, errors.New("only one of the reports can be stdin"))
			}
			files := p.NewFiles()
			files.Outputs(parsed)
			files.Input("report", args...)
			if err := errors.Join(err, files.Check()); err != nil {
				return terminal.Usage(err)
			}
			return p.compareRuns(command.Context(), args[0], args[1], parsed)
		},
	}
	terminal.DocumentFlag(command.Flags(), &outputs, "write the comparison", rundiff.Formats())
	return command
}

func (p *program) compareRuns(ctx context.Context, oldFile, newFile string, outputs []terminal.Output) error {
	p.Judges = true
	comparison := &rundiff.Comparison{}
	before, after := comparedRun{file: oldFile}, comparedRun{file: newFile}
	if err := before.play(p.Console, comparison.AddOld); err != nil {
		return err
	}
	comparison.BeginNew()
	if err := after.play(p.Console, comparison.AddNew); err != nil {
		return err
	}
	comparison.Finish(before.footer.Problems, after.footer.Problems, after.footer.Incomplete)
	runs := rundiff.Runs{Old: before.comparedWith(after), New: after.comparedWith(before)}
	err := p.WriteDocuments(ctx, outputs, func(format string, w io.Writer) error {
		return comparison.Write(w, format, runs)
	})
	switch {
	case err != nil:
		return err
	case comparison.NewFaults > 0:
		return terminal.Exit(terminal.Fault)
	case comparison.Nothing():
		return terminal.Exitf(terminal.Mistake, "%s and %s have no input in common, so nothing was compared: inputs are the "+
			"same if suite, case, target, operation and subresource are", oldFile, newFile)
	case comparison.Incomplete:
		return terminal.Exitf(terminal.Different, "%s is incomplete: cases that its run did not reach cannot be compared", newFile)
	case comparison.Fails():
		return terminal.Exit(terminal.Different)
	}
	return nil
}

// comparedRun is one of two runs without its results.
type comparedRun struct {
	file   string
	header reports.Header
	footer reports.Footer
}

// play reads the run, and passes its results to a function.
func (c *comparedRun) play(console *terminal.Console, add func(harness.Result)) error {
	return recorded.Play(console, c.file, recorded.Handler{
		Header:  func(header reports.Header) { c.header = header },
		Results: func(r harness.Result) error { add(r); return nil },
		Footer:  func(footer reports.Footer) { c.footer = footer },
	})
}

// comparedWith returns what the run lacks compared with the other one. A run that compares less has
// fewer new differences.
func (c *comparedRun) comparedWith(other comparedRun) rundiff.Run {
	made := rundiff.Run{Name: c.file, SourceURL: c.header.Origin.SourceURL, RunURL: c.header.Origin.RunURL}
	if c.footer.Incomplete {
		made.Lacks = append(made.Lacks, "the run ended early")
	}
	for _, text := range c.footer.NarrowedTexts(c.header.Shard) {
		made.Lacks = append(made.Lacks, "the run was narrowed: "+text)
	}
	for _, option := range c.header.Options {
		if !slices.Contains(other.header.Options, option) && option != run.ByFileOption {
			made.Lacks = append(made.Lacks, "only this run has "+option)
		}
	}
	return made
}
