package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/exploring"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/heap"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
	"github.com/diffrun/diffrun/internal/infer"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// inferFlags are the flags of "diffrun infer".
type inferFlags struct {
	run.Pace
	duration time.Duration
	seed     uint64
	inputs   int
	kinds    string
	folder   string
	check    bool
	read     bool
}

func (p *program) inferCommand() *cobra.Command {
	var flags inferFlags
	command := &cobra.Command{
		Use:   "infer SUITE | infer --read PACKAGE...",
		Short: "Propose the rules that a schema lacks, and prove them",
		Long: `Propose the rules that a schema lacks, and prove them.

The suite compares a webhook, or another native validator, with a CustomResourceDefinition, or with
the schema of a Go type: then the rules become an overlay. The command explores it, and collects the
errors of the native validator that the schema lacks. For each it tries the condition that the source of
a Go validator says. Where no source says it, it looks for conditions on the object that explain every
answer: presence, bounds, lengths in characters or bytes, enums, formats, patterns, uniqueness,
immutability, the order of two fields. It asks the native validator about objects at both sides of each
condition until only one explanation is left.

What is left, and proven, becomes OpenAPI keywords, or else CEL rules with the native message. What a definition
cannot say, because it depends on labels, the user or a deletion, becomes ValidatingAdmissionPolicies,
if the suite compares worlds. The folder of -o gets the whole definition with the rules, the
policies, the rules as a JSON patch and as markers of Go types, and a report. The written definition is
then compared with the native validator on all inputs and on a fresh exploration. The report says for
each error whether the rules are proven, and shows the smallest object that still differs.

With --read, Go packages are read and nothing is asked: for each place that makes an error, the condition
under which it does, as CEL over self and oldSelf, and the rule that would say the same. It needs no cases
and no webhook that runs. What could not be read is listed with its line. -o json prints a line of JSON for each place.

Exit status: 0 the proposal was written; 1 with --check, the schema lacks errors, or too little was asked; 2 usage,
configuration or input that cannot be read; 3 a validator failed on an input, which the report shows; 130 interrupted.`,
		Args: arguments(1, anyNumber, "a suite, or packages with --read"),
		RunE: func(command *cobra.Command, args []string) error {
			if err := flags.parse(); err != nil {
				return terminal.Usage(err)
			}
			if flags.read {
				isJSON := command.Flags().Changed("output")
				if isJSON && flags.folder != "json" {
					return terminal.Usagef("-o %s: with --read, the output is text, or json", flags.folder)
				}
				return p.read(command.Context(), args, isJSON)
			}
			if len(args) > 1 {
				return terminal.Usagef("%d arguments: name one suite; packages are read with --read", len(args))
			}
			return p.infer(command.Context(), args, &flags)
		},
	}
	set := command.Flags()
	set.DurationVar(&flags.duration, "duration", 5*time.Minute, "how long to work at most; the report says if it was too short")
	set.Uint64Var(&flags.seed, "seed", 1, "the seed; with enough time, the same seed and cases write the same files")
	set.IntVar(&flags.inputs, "inputs", 20_000, "how many inputs each exploration compares at most")
	set.StringVar(&flags.kinds, "kinds", "", `only targets that match this regular expression, such as "v1 Backup$"`)
	set.StringVarP(&flags.folder, "output", "o", "proposal",
		"the `FOLDER` for the definition with the rules, and the reports; json with --read")
	set.BoolVar(&flags.read, "read", false, "only read the source of the packages that are named, and print conditions and rules")
	set.BoolVar(&flags.check, "check", false, "exit with 1 if the native validator has an error that the schema lacks")
	flags.AddFlags(set, "inputs to compare")
	flags.AddStartFlag(set)
	p.markerFlags(set)
	return command
}

// parse returns all mistakes in the flags.
func (f *inferFlags) parse() error {
	var errs []error
	if f.duration <= 0 {
		errs = append(errs, fmt.Errorf("--duration %v: must be a time above zero, for instance 5m", f.duration))
	}
	if f.inputs <= 0 {
		errs = append(errs, fmt.Errorf("--inputs %d: must be a number above zero", f.inputs))
	}
	if f.folder == "" {
		errs = append(errs, errors.New("-o: name a folder"))
	}
	if _, err := regexp.Compile(f.kinds); err != nil {
		errs = append(errs, fmt.Errorf("--kinds: %w", err))
	}
	return errors.Join(append(errs, f.Pace.Check("inputs"))...)
}

// infer proposes rules for each target of a suite.
func (p *program) infer(ctx context.Context, args []string, flags *inferFlags) (failed error) {
	p.Judges = true
	heap.Limit(heap.Large)
	counter := errorsites.NewCounter()
	plan, err := p.LoadSuites(ctx, args, cases.Options{Parallel: flags.Parallel, StartTimeout: flags.StartTimeout, Counting: counter},
		p.NewFiles())
	if err != nil {
		return err
	}
	defer func() {
		if err := plan.Close(); failed == nil {
			failed = err
		}
	}()
	p.ShowIntents(plan)
	ctx, stop := terminal.Interruptible(ctx, func() {})
	defer stop()
	options, targets, err := p.inferTargets(plan, flags)
	if err != nil {
		return err
	}
	folders, abouts, err := p.inferFolders(plan, targets, options, flags.folder)
	if err != nil {
		return err
	}
	p.readFor(ctx, args[0], abouts)
	lacking, lackingCases, faults := 0, 0, 0
	var unseen []string            // targets about which the run proves nothing
	written := map[string][]byte{} // files that another version of the kind wrote
	for n, target := range targets {
		folder := folders[n]
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return terminal.Usagef("-o %s: %v; name a folder that can be written", folder, err)
		}
		report, err := p.inferTarget(ctx, target, abouts[n], options, evidence.Options{
			Seed: flags.seed, Parallel: flags.Parallel, Inputs: flags.inputs, Origins: counter.Sites,
			SavedRun: filepath.Join(folder, savedRunFile),
		}, flags.duration/time.Duration(len(targets)), written)
		if ctx.Err() != nil {
			return terminal.Exitf(terminal.Interrupted, "interrupted; nothing is proposed for %s; run the command again to go on", target)
		}
		if err != nil {
			return err
		}
		lacking, lackingCases = lacking+len(report.Sites), lackingCases+len(report.Cases)
		if why := report.Unseen(); why != "" {
			unseen = append(unseen, fmt.Sprintf("%s: %s", target, why))
		}
		if report.Faults != nil {
			faults += report.Faults.Count
		}
		if err := p.writeProposal(report, folder, n > 0); err != nil {
			return err
		}
	}
	if faults > 0 {
		return terminal.Exitf(terminal.Fault, "a validator failed on %s; the reports name the first", plaintext.Count(faults, "input"))
	}
	sides := plan.Suites[0].Sides // those of one file
	native, schema := sides.Title(contract.NativeName), sides.Title(contract.DeclarativeName)
	if flags.check && lacking > 0 {
		return terminal.Exitf(terminal.Different, "%s has %s that %s lacks; %s has the rules",
			native, plaintext.Count(lacking, "error"), schema, flags.folder)
	}
	if flags.check && lackingCases > 0 {
		return terminal.Exitf(terminal.Different, "%s refuses %s that %s accepts; the report names them",
			native, plaintext.Count(lackingCases, "case"), schema)
	}
	if flags.check && len(unseen) > 0 {
		return terminal.Exitf(terminal.Different, "%s", strings.Join(unseen, "\n"))
	}
	for _, one := range unseen {
		p.Warn("diffrun: warning: %s\n", one)
	}
	return nil
}

// inferTargets returns the targets that --kinds selects, and how they are explored.
func (p *program) inferTargets(plan *cases.Plan, flags *inferFlags) (exploring.Options, []*exploring.Target, error) {
	var warned sync.Once
	again := func(*harness.Input, *contract.Fault) {
		warned.Do(func() {
			p.Warn("diffrun: a validator did not answer within %v; it is asked about such inputs once more\n", flags.Timeout)
		})
	}
	options := exploring.Options{
		Seed: flags.seed, Parallel: flags.Parallel, Warn: p.Warn, Policies: p.Policies,
		Jobs: func(suite *cases.Suite) cases.JobOptions {
			return cases.JobOptions{
				Harness: harness.Options{
					Timeout:    flags.Timeout,
					AskAgain:   again,
					Rules:      suite.Rules,
					Exceptions: suite.Exceptions,
					Compare:    suite.Scope(""),
				},
			}
		},
	}
	targets, err := exploring.Targets(plan, options)
	if err != nil {
		return options, nil, err
	}
	names := exploring.Names(targets)
	only := regexp.MustCompile(flags.kinds)
	targets = slices.DeleteFunc(targets, func(t *exploring.Target) bool {
		matches := only.MatchString(t.String())
		if matches && t.Subresource != "" {
			p.Warn("diffrun: warning: %s is left out: rules are inferred from creates and updates of the resource itself\n", t)
		}
		return !matches || t.Subresource != ""
	})
	if len(targets) == 0 {
		return options, nil, terminal.Usagef("no target of the suite matches --kinds %s; there is %s", flags.kinds, names)
	}
	return options, targets, nil
}

// inferFolders returns the folder of each target, and what is inferred. The error names the files in them
// that a proposal must not overwrite.
func (p *program) inferFolders(plan *cases.Plan, targets []*exploring.Target, options exploring.Options,
	folder string) (folders []string, abouts []*evidence.Target, err error) {
	files := p.NewFiles()
	files.Input("", plan.Files...)
	var errs []error
	for _, target := range targets {
		at := folder
		if len(targets) > 1 {
			at = filepath.Join(folder, strings.ToLower(strings.NewReplacer("/", "-", " ", "-").Replace(target.String())))
		}
		folders = append(folders, at)
		about, err := target.Inference(options)
		if err != nil {
			return nil, nil, err
		}
		abouts = append(abouts, about)
		for _, name := range append(infer.Outputs(about, at), filepath.Join(at, savedRunFile)) {
			files.Output(name, name)
		}
		errs = append(errs, infer.CheckOutputs(about, at))
	}
	if err := files.Check(); err != nil {
		return nil, nil, terminal.Usagef("-o %s: %v", folder, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, nil, terminal.Usagef("-o %s: %v", folder, err)
	}
	return folders, abouts, nil
}

// inferTarget infers the rules of one target, for some time once its programs run. It adds them to what another version wrote.
func (p *program) inferTarget(ctx context.Context, target *exploring.Target, about *evidence.Target,
	options exploring.Options, inferring evidence.Options, duration time.Duration, written map[string][]byte) (*infer.Report, error) {
	if err := target.Begin(ctx, options); err != nil {
		return nil, err
	}
	inferring.Deadline = time.Now().Add(duration)
	if data, is := written[about.File]; is && about.GoPackage == "" {
		about.Data = data
	}
	shown := time.Now()
	inferring.Progress = func(text string) {
		if now := time.Now(); now.Sub(shown) >= inferProgress {
			shown = now
			p.Warn("diffrun: %s: %s\n", target, text)
		}
	}
	report, err := infer.Run(ctx, about, inferring)
	if err == nil && about.GoPackage == "" {
		written[about.File] = report.Definition()
	}
	return report, err
}

// savedRunFile is the file in the folder of -o from which an interrupted run goes on.
const savedRunFile = "learnt.json.gz"

// inferProgress is how often progress is printed.
const inferProgress = 10 * time.Second

// writeProposal writes the files of a report, and prints it.
func (p *program) writeProposal(report *infer.Report, folder string, more bool) error {
	names, err := report.Write(folder)
	if err != nil {
		return err
	}
	if more {
		p.Stdout.Printf("\n")
	}
	for line := range strings.Lines(report.Text()) {
		p.Stdout.Printf("%s\n", strings.TrimSuffix(line, "\n"))
	}
	p.Warn("diffrun: wrote %s\n", strings.Join(names, ", "))
	return nil
}
