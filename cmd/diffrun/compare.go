package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/findings/rundiff"
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

A run that was narrowed, ended early or had other flags is named with what it lacks.

Exit status: 0 nothing is new; 1 something is new, or the verdict of an input with
a difference changes that did not change in OLD, or NEW is incomplete; 2 a report
cannot be read or is not as it was written, or the runs have no input in common;
3 NEW has a fault that OLD has not.`,
		Example: `  # on a branch: nothing may be new
  diffrun run -o jsonl=new.jsonl || true
  diffrun compare main.jsonl new.jsonl`,
		Args: arguments(2, 2, "two reports, OLD and NEW"),
		RunE: func(command *cobra.Command, args []string) error {
			parsed, err := documentOutputs(outputs, rundiff.Formats())
			if args[0] == infile.Stdin && args[1] == infile.Stdin {
				err = errors.Join(err, errors.New("only one of the reports can be stdin"))
			}
			var files places
			files.outputs(parsed, p.stdout)
			files.input("report", p.stdin, args...)
			if err := errors.Join(err, files.check()); err != nil {
				return usageError{err}
			}
			return p.compareRuns(command.Context(), args[0], args[1], parsed)
		},
	}
	documentFlag(command.Flags(), &outputs, "write the comparison", rundiff.Formats())
	return command
}

func (p *program) compareRuns(ctx context.Context, oldFile, newFile string, outputs []output) error {
	p.judges = true
	comparison := &rundiff.Comparison{}
	was, is := comparedRun{file: oldFile}, comparedRun{file: newFile}
	if err := p.play(oldFile, was.taking(comparison.AddOld)); err != nil {
		return err
	}
	comparison.BeginNew()
	if err := p.play(newFile, is.taking(comparison.AddNew)); err != nil {
		return err
	}
	comparison.Finish()
	runs := rundiff.Runs{Old: was.run(is), New: is.run(was)}
	err := p.writeDocuments(ctx, outputs, func(format string, w io.Writer) error {
		return comparison.Write(w, format, runs)
	})
	switch {
	case err != nil:
		return err
	case comparison.NewFaults > 0:
		return &exitError{status: statusFault}
	case comparison.Nothing():
		return &exitError{statusMistake, fmt.Errorf("%s and %s have no input in common, so nothing was compared: inputs are the same if suite, case, target, operation and subresource are", oldFile, newFile)}
	case is.footer.Incomplete:
		return &exitError{statusDifferent, fmt.Errorf("%s is incomplete: what its run did not reach cannot be compared", newFile)}
	case comparison.Fails():
		return &exitError{status: statusDifferent}
	}
	return nil
}

// comparedRun is what is known of one of two runs without its results.
type comparedRun struct {
	file   string
	header reports.Header
	footer reports.Footer
}

// taking hands the results of the run to a function.
func (c *comparedRun) taking(add func(harness.Result)) taking {
	return taking{
		header: func(header reports.Header) { c.header = header },
		result: func(r harness.Result) error { add(r); return nil },
		footer: func(footer reports.Footer) { c.footer = footer },
	}
}

// run says what the run lacks beside another one: a run that looked at less shows less that is new.
func (c *comparedRun) run(other comparedRun) rundiff.Run {
	made := rundiff.Run{Name: c.file}
	if c.footer.Incomplete {
		made.Lacks = append(made.Lacks, "the run ended early")
	}
	for _, text := range c.footer.NarrowedTexts(c.header.Shard) {
		made.Lacks = append(made.Lacks, "the run was narrowed: "+text)
	}
	for _, option := range c.header.Options {
		if !slices.Contains(other.header.Options, option) && option != wordByFile {
			made.Lacks = append(made.Lacks, "only this run has "+option)
		}
	}
	return made
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
