package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/coverage/mutate"
	"github.com/diffrun/diffrun/internal/text/oneof"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// mutateFlags are the flags of "diffrun mutate" as the user gave them.
type mutateFlags struct {
	outputs []string
	sample  int
	seed    uint64
	seeded  bool
	verbose bool
	only    string
	compare string
	paceFlags
}

// formats are the formats of "diffrun mutate".
func (f mutateFlags) formats() documentFormats[mutate.Report] {
	return documentFormats[mutate.Report]{
		{"text", func(r mutate.Report, w io.Writer) error { return r.Text(w, mutate.TextOptions{All: f.verbose}) }},
		{"json", func(r mutate.Report, w io.Writer) error { return r.JSON(w, version()) }},
		{"markdown", mutate.Report.Markdown},
	}
}

func (p *program) mutateCommand() *cobra.Command {
	var flags mutateFlags
	command := &cobra.Command{
		Use:   "mutate [SUITE...]",
		Short: "Weaken each keyword and rule in turn, and say what no case notices",
		Long: `Weaken each keyword and rule in turn, and say what no case notices.

The suites run once. Then each keyword and rule that their schemas declare is weakened:
a bound by one, an enum by a value more, required by a name, a rule to true; others are
dropped. The inputs that violate it are compared again. If their results stay the same,
the mutant survived: a schema with this mistake would pass. A result is the verdict, the
effect, and the class of each difference.

A definition is weakened once, in all kinds that refer to it, and a case of any of them
kills the mutant. type is not weakened, because rules are compiled by it.

Exit status: 0 each mutant that inputs violate was killed; 1 one survived, or no case; 2
usage, configuration or input that cannot be read; 3 a case that could not be decided;
130 interrupted.`,
		Example: `  diffrun mutate suites/widgets
  diffrun mutate --sample 200 -o markdown=mutants.md`,
		RunE: func(command *cobra.Command, args []string) error {
			flags.seeded = command.Flags().Changed("seed")
			return p.mutate(command.Context(), args, flags)
		},
	}
	set := command.Flags()
	documentFlag(set, &flags.outputs, "write the result", flags.formats().names())
	set.IntVar(&flags.sample, "sample", 0, "run only so many mutants, chosen by --seed; 0: all")
	set.Uint64Var(&flags.seed, "seed", 0, "choose the mutants of --sample; without it, the time does, and the seed is printed")
	set.BoolVarP(&flags.verbose, "verbose", "v", false, "also list what no input violates or reaches")
	set.StringVar(&flags.only, "run", "", "run only cases whose id matches this regular expression")
	set.StringVar(&flags.compare, "compare", string(harness.CompareAll), "what to compare, as in diffrun run: "+oneof.List(harness.CompareValues()))
	flags.paceFlags.add(set, "mutants to run")
	p.markerFlags(set)
	return command
}

// parse says what is wrong with the flags.
func (f mutateFlags) parse() (options runOptions, outputs []output, err error) {
	options.runFlags = runFlags{paceFlags: f.paceFlags, repeat: 1, compare: f.compare, by: byText}
	var errs []error
	outputs, err = documentOutputs(f.outputs, f.formats().names())
	errs = append(errs, err, oneof.Check("--compare", harness.Compare(f.compare), harness.CompareValues()...))
	if f.sample < 0 {
		errs = append(errs, fmt.Errorf("--sample %d: give a number of mutants, or 0 for all", f.sample))
	}
	if f.seeded && f.sample == 0 {
		errs = append(errs, errors.New("--seed chooses the mutants of --sample; give their number"))
	}
	errs = append(errs, f.paceFlags.check("mutants"))
	options.only, err = parseOnly(f.only)
	errs = append(errs, err)
	options.scope = harness.Compare(f.compare)
	return options, outputs, errors.Join(errs...)
}

func (p *program) mutate(ctx context.Context, args []string, flags mutateFlags) error {
	p.judges = true
	options, outputs, err := flags.parse()
	var files places
	files.outputs(outputs, p.stdout)
	if err := errors.Join(err, files.check()); err != nil {
		return usageError{err}
	}
	if flags.sample > 0 && !flags.seeded {
		flags.seed = uint64(p.now().UnixNano())
	}
	ctx, stop := interruptible(ctx, func() {})
	defer stop()
	report, err := p.runMutants(ctx, args, options, files, mutate.Options{Parallel: flags.parallel, Sample: flags.sample, Seed: flags.seed})
	if err != nil {
		return err
	}
	if err := p.writeDocuments(ctx, outputs, flags.formats().writer(report)); err != nil {
		return err
	}
	switch survived := report.Count(mutate.Survived); {
	case report.Undecided > 0:
		return &exitError{statusFault, fmt.Errorf("inputs that could not be decided: %d; \"diffrun run\" says why. They kill nothing", report.Undecided)}
	case survived > 0:
		return &exitError{statusDifferent, fmt.Errorf("%s survived; add cases that are just beyond what these keywords and rules accept", plaintext.Count(survived, "mutant"))}
	}
	return nil
}

// runMutants loads suites and runs their mutants.
func (p *program) runMutants(ctx context.Context, args []string, options runOptions, files places, how mutate.Options) (report mutate.Report, failed error) {
	plan, err := p.loadSuites(ctx, args, options.parallel, files)
	if err != nil {
		return report, err
	}
	defer func() {
		if err := plan.Close(); failed == nil {
			failed = err
		}
	}()
	s := &session{options: options, plan: plan, versions: map[schema.GroupVersionKind]bool{}}
	p.sayIntents(plan)
	var groups []mutate.Group
	for suites := range s.together() {
		group := mutate.Group{Enter: suites[0].Enter}
		for _, suite := range suites {
			job := s.jobOptions(suite)
			group.Suites = append(group.Suites, mutate.Suite{Name: suite.Name, Jobs: s.counted(suite.Jobs(job)), Options: job.Harness})
		}
		groups = append(groups, group)
	}
	watch := p.watchMutants()
	defer watch.stop()
	how.Begin, how.Done = watch.begin, watch.done
	report, err = mutate.Run(ctx, groups, how)
	watch.stop()
	report.Narrowed = narrowingTexts(s.narrowings(true))
	switch {
	case ctx.Err() != nil:
		return report, &exitError{statusInterrupted, errors.New("interrupted; nothing is said about the mutants")}
	case err != nil:
		return report, err
	case report.Inputs == 0 && report.Undecided == 0 && len(s.unchosen) > 0:
		return report, &exitError{statusDifferent, s.noneChosen()}
	case report.Inputs == 0 && report.Undecided == 0:
		return report, &exitError{statusDifferent, errors.New("no case was compared, so no case notices anything")}
	case report.Of == 0 && report.Undecided == 0:
		return report, &exitError{statusDifferent, errors.New("the schemas declare nothing that can be weakened")}
	}
	slices.Sort(s.broken)
	for _, why := range s.broken {
		p.warn("diffrun: %s\n", why)
	}
	return report, nil
}

// counted counts the cases of jobs.
func (s *session) counted(jobs iter.Seq2[harness.Job, error]) iter.Seq2[harness.Job, error] {
	return func(yield func(harness.Job, error) bool) {
		for job, err := range jobs {
			if err == nil {
				s.cases++
			}
			if !yield(job, err) {
				return
			}
		}
	}
}
