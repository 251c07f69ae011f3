package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/recorded"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/coverage"
	"github.com/diffrun/diffrun/internal/files/infile"
)

// coverageFlags are the flags of "diffrun coverage".
type coverageFlags struct {
	run.CoverageOptions
	outputs []string
	ratchet string
	update  bool
	from    []string
	only    string
	sites   bool
}

func (f *coverageFlags) formats() terminal.DocumentFormats[coverage.Report] {
	return terminal.DocumentFormats[coverage.Report]{
		{Name: "text", Write: func(r coverage.Report, w io.Writer) error {
			return r.Text(w, coverage.TextOptions{All: f.Verbose, Sites: f.sites})
		}},
		{Name: "json", Write: func(r coverage.Report, w io.Writer) error { return r.JSON(w, version()) }},
		{Name: "markdown", Write: coverage.Report.Markdown},
		{Name: "html", Write: coverage.Report.HTML},
	}
}

func (p *program) coverageCommand() *cobra.Command {
	var flags coverageFlags
	command := &cobra.Command{
		Use:   "coverage [SUITE...]",
		Short: "List the keywords, rules, fields, versions and policies that no case tests",
		Long: `List the keywords, rules, fields, versions and policies that no case tests.

The suites run as with "diffrun run", and the schemas count what each of their keywords
and rules does: how many inputs reach it, pass it and fail it. A keyword is covered if
some input makes it fail; otherwise it is unknown whether both validators agree about it.
A field is covered if some input sets it, and a value of an enum if some input uses it.
Defaults count as set. A policy, webhook or validation is covered if it refused some
input, a mutation if it changed one, and a match condition if it excluded one.

Uncovered places are listed by keyword, the smallest group first. Differences are
not judged here: "diffrun run" does that.

--objects shows an object for each keyword and rule that is listed: one that would make
it fail and is valid otherwise, where one can be made. It is a missing case.

--native also counts hand-written validators: each call in these packages that makes a
field.Error, by file and line. Did some input execute it, is its error in a result, and
is it matched by a declared one? Go's own coverage determines what is executed.
For validators that are a part of diffrun (native: {builtin: …}), diffrun builds a copy
of itself with "go build -cover" and runs that; this needs the go command, in a module
that requires github.com/diffrun/diffrun. A program (native: {exec: …}) must be built
with "go build -cover -coverpkg=PACKAGES,MAIN", where MAIN is its main package. For
other validators --profile names what they executed: a file of "go test -coverprofile",
or a directory of GOCOVERDIR. --from reads the results of recorded runs, for instance of
"go test" with DIFFRUN_REPORT, in place of running suites.

--native SUITE reads the source of the programs of a suite, which it runs too if no suite is named:
for each place that makes an error, it lists whether its condition was true for a case, and which
sides of the atoms of the condition no case shows. --sites lists all conditions.

--ratchet compares the figures with a file that is committed. A figure that fell gives
exit status 1, with the places that were lost. --update writes figures that rose, or a
new file; figures that fell stay in the file.

Exit status: 0 nothing fell; 1 a figure fell, or no case; 2 usage, configuration or
input that cannot be read; 3 a case without a verdict; 130 interrupted.`,
		Example: `  # what no case tests
  diffrun coverage examples/webhook

  # in CI: fail if the cases cover less than before; and after new cases
  diffrun coverage --ratchet coverage.yaml examples/webhook
  diffrun coverage --ratchet coverage.yaml --update examples/webhook

  # hand-written code, too: in diffrun, and in tests of your own
  diffrun coverage --native k8s.io/kubernetes/pkg/apis/apps/validation kubernetes/apps
  diffrun coverage --native ./validation --profile cover.out --from reports/

  # what no case shows of the conditions of a validator that the suite has built
  diffrun coverage --native diffrun/suite.yaml`,
		RunE: func(command *cobra.Command, args []string) error {
			return p.coverage(command.Context(), args, &flags)
		},
	}
	set := command.Flags()
	terminal.DocumentFlag(set, &flags.outputs, "write the coverage", flags.formats().Names())
	p.markerFlags(set)
	set.StringVar(&flags.ratchet, "ratchet", "", "compare with the figures in this `file`")
	set.BoolVar(&flags.update, "update", false, "write the figures that rose to the file of --ratchet")
	set.BoolVarP(&flags.Verbose, "verbose", "v", false, "list every place that is not covered")
	flags.Native.AddFlags(set, "")
	set.BoolVar(&flags.sites, "sites", false, "with --native: list each error site with its condition, and what no case shows of it")
	recorded.Flag(set, &flags.from, "with --native and --profile: count the results of this `report` in place of running suites")
	set.BoolVar(&flags.MissingCases, "objects", false, "show, for each keyword and rule that is listed, an object that would "+
		"make it fail, where one can be made; takes a while for large schemas")
	set.StringVar(&flags.only, "run", "", "run only cases whose id matches this regular expression")
	flags.Pace.AddFlags(set, "cases to check")
	flags.Pace.AddStartFlag(set)
	return command
}

// parse parses the flags and returns the outputs, or all mistakes in them.
func (f *coverageFlags) parse() (outputs []terminal.Output, err error) {
	outputs, err = terminal.DocumentOutputs(f.outputs, f.formats().Names())
	errs := []error{err}
	if f.update && f.ratchet == "" {
		errs = append(errs, errors.New("--update writes the file of --ratchet; name one"))
	} else if f.update {
		errs = append(errs, terminal.CheckLockable(ratchetFlag, f.ratchet))
	}
	if f.ratchet != "" && f.only != "" {
		errs = append(errs, errors.New("--run leaves out cases, and --ratchet compares what all of them cover; use one of the two"))
	}
	errs = append(errs, f.Native.Check(f.from))
	if f.sites && len(f.Native.Packages) == 0 && !f.Native.Programs {
		errs = append(errs, errors.New("--sites lists the error sites of hand-written validators; name a suite or packages with --native"))
	}
	if len(f.from) > 0 && len(f.Native.Profiles) == 0 {
		errs = append(errs, errors.New("a recorded run does not have the executed code; name a profile with --profile"))
	}
	errs = append(errs, f.Pace.Check("cases"))
	f.Only, err = run.ParseOnly(f.only)
	return outputs, errors.Join(append(errs, err)...)
}

// ratchetFlag precedes the name of the file in messages.
const ratchetFlag = "--ratchet "

// files returns the files that the flags name. The command reads the file of --ratchet and, with
// --update, writes it.
func (f *coverageFlags) files(p *program, outputs []terminal.Output) *terminal.Files {
	files := p.NewFiles()
	files.Outputs(outputs)
	switch {
	case f.ratchet == "":
	case f.update:
		files.Output(ratchetFlag+f.ratchet, f.ratchet)
	default:
		files.Input("--ratchet", f.ratchet)
	}
	files.Input("--profile", f.Native.Profiles...)
	files.Directories("--from", recorded.Extensions(), f.from...)
	return files
}

// suitesOfNative takes the suites out of the values of --native, and returns them: the programs that they name are counted. A
// folder with Go files is a package, also if it has a suite.
func (f *coverageFlags) suitesOfNative() (suites []string) {
	f.Native.Packages = slices.DeleteFunc(f.Native.Packages, func(name string) bool {
		if sources, err := filepath.Glob(filepath.Join(name, "*.go")); err == nil && len(sources) > 0 {
			return false
		}
		_, _, _, err := programsOf(name)
		if err == nil {
			suites = append(suites, name)
		}
		return err == nil
	})
	f.Native.Programs = len(suites) > 0
	f.Conditions = f.Native.Programs || f.sites
	return suites
}

func (p *program) coverage(ctx context.Context, args []string, flags *coverageFlags) error {
	if suites := flags.suitesOfNative(); len(args) == 0 {
		args = suites
	}
	outputs, err := flags.parse()
	files := flags.files(p, outputs)
	if err := errors.Join(err, files.Check()); err != nil {
		return terminal.Usage(err)
	}
	ratchet, err := flags.readRatchet()
	if err != nil {
		return err
	}
	if len(flags.from) > 0 && len(args) > 0 {
		return terminal.Usagef("--from is in place of suites; name suites or --from")
	}
	ctx, stop := terminal.Interruptible(ctx, func() {})
	defer stop()
	var report coverage.Report
	faults := 0
	if len(flags.from) > 0 {
		report, err = run.RecordedCoverage(ctx, p.Console, flags.from, flags.Native)
	} else {
		report, faults, err = run.Coverage(ctx, &p.Environment, args, &flags.CoverageOptions, files)
	}
	if err != nil {
		return err
	}
	if err := p.WriteDocuments(ctx, outputs, flags.formats().Writer(report)); err != nil {
		return err
	}
	if faults > 0 {
		return terminal.Exitf(terminal.Fault, "inputs without a verdict: %d; \"diffrun run\" says why. They cover nothing", faults)
	}
	switch {
	case flags.ratchet == "":
		return nil
	case flags.update:
		return p.updateRatchet(ctx, report, flags)
	}
	return p.turnRatchet(ratchet.Compare(report), flags)
}

// readRatchet reads the file of --ratchet. The result is empty without the flag, and if --update will
// write the first file.
func (f *coverageFlags) readRatchet() (ratchet coverage.Ratchet, err error) {
	if f.ratchet == "" {
		return ratchet, nil
	}
	ratchet, err = coverage.ReadRatchet(f.ratchet)
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.update:
		return coverage.Ratchet{}, nil
	case errors.Is(err, fs.ErrNotExist): // a wrong name would always pass
		return ratchet, fmt.Errorf("--ratchet %s cannot be read: %w; --update writes a new one", f.ratchet, infile.Cause(err))
	case err == nil && !f.update && len(ratchet.Targets)+len(ratchet.Packages) == 0: // so would an empty file
		return ratchet, terminal.Exitf(terminal.Different, "--ratchet %s has neither a target nor a package, so nothing can "+
			"be compared; --update writes them", f.ratchet)
	}
	return ratchet, err
}

// updateRatchet writes the figures that rose to the file of --ratchet. It reads the file again, because
// another command may have written it during the run.
func (p *program) updateRatchet(ctx context.Context, report coverage.Report, flags *coverageFlags) (failed error) {
	lock, err := terminal.Lock(ctx, ratchetFlag, flags.ratchet)
	if err != nil {
		return err
	}
	defer func() {
		if err := lock.Unlock(); failed == nil {
			failed = err
		}
	}()
	ratchet, err := flags.readRatchet()
	if err != nil {
		return err
	}
	p.Judges = true
	return p.turnRatchet(ratchet.Compare(report), flags)
}

// turnRatchet reports the figures that fell and, with --update, writes those that rose.
func (p *program) turnRatchet(c coverage.Comparison, flags *coverageFlags) error {
	for _, entry := range c.Uncompared {
		p.Warn("diffrun: %s:%d: %s\n", flags.ratchet, entry.Line, entry)
	}
	if err := c.Lost(p.Stderr.Guarded); err != nil {
		return err
	}
	switch {
	case flags.update && c.Higher:
		if err := c.Updated.Write(flags.ratchet); err != nil {
			return fmt.Errorf("--ratchet %s was not written: %w", flags.ratchet, infile.Cause(err))
		}
	case c.Higher:
		p.Warn("diffrun: the coverage is not as in %s; --update writes the figures that rose\n", flags.ratchet)
	}
	uncompared := slices.DeleteFunc(c.Uncompared, func(u coverage.Uncompared) bool { return flags.update && u.Keeps() })
	switch {
	case len(c.Lower) > 0:
		return terminal.Exitf(terminal.Different, "less is covered than in %s; add cases for the lost places, or delete the "+
			"target there and use --update", flags.ratchet)
	case len(uncompared) > 0:
		return terminal.Exitf(terminal.Different, "%s is not compared whole: the coverage that it lists may be lost; "+
			"see the lines above", flags.ratchet)
	}
	return nil
}
