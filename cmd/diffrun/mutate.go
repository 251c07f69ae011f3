package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/coverage/mutate"
	"github.com/diffrun/diffrun/internal/text/oneof"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// mutateFlags are the flags of "diffrun mutate".
type mutateFlags struct {
	run.Pace
	outputs []string
	sample  int
	seed    uint64
	seeded  bool // --seed was given
	verbose bool
	only    string
	compare string
}

func (f *mutateFlags) formats() terminal.DocumentFormats[mutate.Report] {
	return terminal.DocumentFormats[mutate.Report]{
		{Name: "text", Write: func(r mutate.Report, w io.Writer) error { return r.Text(w, mutate.TextOptions{All: f.verbose}) }},
		{Name: "json", Write: func(r mutate.Report, w io.Writer) error { return r.JSON(w, version()) }},
		{Name: "markdown", Write: mutate.Report.Markdown},
	}
}

func (p *program) mutateCommand() *cobra.Command {
	var flags mutateFlags
	command := &cobra.Command{
		Use:   "mutate [SUITE...]",
		Short: "Weaken each keyword, rule and policy in turn, and list those that no case notices",
		Long: `Weaken each keyword, rule and policy in turn, and list those that no case notices.

The suites run once. Then each keyword and rule that their schemas declare is weakened:
a bound by one, an enum gets one more value, required loses a name, a rule becomes true;
others are dropped. The inputs that violate it are compared again. If their results stay the same,
the mutant survived: a schema with this mistake would pass. A result is the verdict, the
effect, and the class of each difference.

Policies of the declarative side are weakened, too: a bound of a condition includes its
value, a part of a conjunction is left out, one item is enough instead of all; rules of
matchConstraints, their operations and resources, bindings and mutations are left out.

A definition is weakened once, in all kinds that refer to it, and a case of any of them
kills the mutant. type is not weakened, because rules are compiled with it.

Exit status: 0 each mutant that inputs violate was killed; 1 one survived, or no case; 2
usage, configuration or input that cannot be read; 3 a case without a verdict;
130 interrupted: the report has the mutants that were finished.`,
		Example: `  diffrun mutate suites/widgets
  diffrun mutate --sample 200 -o markdown=mutants.md`,
		RunE: func(command *cobra.Command, args []string) error {
			flags.seeded = command.Flags().Changed("seed")
			return p.mutate(command.Context(), args, &flags)
		},
	}
	set := command.Flags()
	terminal.DocumentFlag(set, &flags.outputs, "write the result", flags.formats().Names())
	set.IntVar(&flags.sample, "sample", 0, "run only this many mutants, chosen by --seed; 0: all")
	set.Uint64Var(&flags.seed, "seed", 0, "the seed that chooses the mutants of --sample; by default it is taken from the "+
		"clock and printed")
	set.BoolVarP(&flags.verbose, "verbose", "v", false, "also list keywords and rules that no input violates or reaches")
	set.StringVar(&flags.only, "run", "", "run only cases whose id matches this regular expression")
	set.StringVar(&flags.compare, "compare", string(words.CompareAll), "what to compare, as in diffrun run: "+
		oneof.List(words.CompareValues()))
	flags.Pace.AddFlags(set, "mutants to run")
	flags.Pace.AddStartFlag(set)
	p.markerFlags(set)
	return command
}

// parse returns the options of the run, the outputs, and all mistakes in the flags.
func (f *mutateFlags) parse() (options run.Options, outputs []terminal.Output, err error) {
	var errs []error
	outputs, err = terminal.DocumentOutputs(f.outputs, f.formats().Names())
	errs = append(errs, err)
	if err := oneof.Check("--compare", words.Compare(f.compare), words.CompareValues()...); err != nil {
		errs = append(errs, err)
	} else if options.Comparison, err = run.ParseComparison(f.compare); err != nil {
		errs = append(errs, err)
	}
	if f.sample < 0 {
		errs = append(errs, fmt.Errorf("--sample %d: must be a number of mutants, or 0 for all", f.sample))
	}
	if f.seeded && f.sample == 0 {
		errs = append(errs, errors.New("--seed chooses the mutants of --sample; set their number"))
	}
	errs = append(errs, f.Pace.Check("mutants"))
	options.Pace = f.Pace
	options.Only, err = run.ParseOnly(f.only)
	return options, outputs, errors.Join(append(errs, err)...)
}

func (p *program) mutate(ctx context.Context, args []string, flags *mutateFlags) error {
	p.Judges = true
	options, outputs, err := flags.parse()
	files := p.NewFiles()
	files.Outputs(outputs)
	if err := errors.Join(err, files.Check()); err != nil {
		return terminal.Usage(err)
	}
	if flags.sample > 0 && !flags.seeded {
		flags.seed = uint64(p.Now().UnixNano())
	}
	ctx, stop := terminal.Interruptible(ctx, func() {})
	defer stop()
	report, err := run.Mutants(ctx, &p.Environment, args, &options, files,
		mutate.Options{Parallel: flags.Parallel, Sample: flags.sample, Seed: flags.seed})
	if err != nil {
		return err
	}
	if err := p.WriteDocuments(context.WithoutCancel(ctx), outputs, flags.formats().Writer(report)); err != nil {
		return err
	}
	if report.Unfinished > 0 {
		return terminal.Exitf(terminal.Interrupted, "interrupted; mutants finished and reported: %d", len(report.Mutants))
	}
	switch survived := report.Count(mutate.Survived); {
	case report.Undecided > 0:
		return terminal.Exitf(terminal.Fault, "inputs without a verdict: %d; \"diffrun run\" says why. They kill nothing", report.Undecided)
	case survived > 0:
		return terminal.Exitf(terminal.Different, "%s survived; add cases that are just beyond what these keywords and rules accept",
			plaintext.Count(survived, "mutant"))
	}
	return nil
}
