package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"sync"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/coverage"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/metrics"
	"github.com/diffrun/diffrun/reports"
)

// coverageFlags are the flags of "diffrun coverage" as the user gave them.
type coverageFlags struct {
	outputs []string
	ratchet string
	update  bool
	verbose bool
	objects bool
	from    []string
	nativeFlags
	paceFlags
	only string
}

// formats are the formats of "diffrun coverage".
func (f coverageFlags) formats() documentFormats[coverage.Report] {
	return documentFormats[coverage.Report]{
		{"text", func(r coverage.Report, w io.Writer) error { return r.Text(w, coverage.TextOptions{All: f.verbose}) }},
		{"json", func(r coverage.Report, w io.Writer) error { return r.JSON(w, version()) }},
		{"markdown", coverage.Report.Markdown},
		{"html", coverage.Report.HTML},
	}
}

func (p *program) coverageCommand() *cobra.Command {
	var flags coverageFlags
	command := &cobra.Command{
		Use:   "coverage [SUITE...]",
		Short: "Say which keywords, rules, fields and versions no case tests",
		Long: `Say which keywords, rules, fields and versions no case tests.

The suites run as with "diffrun run", and the schemas count what each of their keywords
and rules does: how many inputs reach it, pass it and fail it. A keyword is covered if
some input makes it fail; otherwise nobody knows whether both validators agree about it.
A field is covered if some input sets it, and a value of an enum if some input uses it.
Defaults count as set.

What is not covered is listed by keyword, the smallest group first. Differences are
not judged here: "diffrun run" does that.

--objects shows an object for each keyword and rule that is listed: one that would make
it fail and is valid otherwise, where one can be made. It is a case that is missing.

--native also counts hand-written validators: each call in these packages that makes a
field.Error, by file and line. Did some input execute it, does its error stand in a
result, and is it matched by a declared one? What is executed, Go's own coverage says.
For validators that are a part of diffrun (native: {builtin: …}), diffrun builds a copy
of itself with "go build -cover" and runs that; this needs the go command, in a module
that requires github.com/diffrun/diffrun. A program (native: {exec: …}) must be built
with "go build -cover -coverpkg=PACKAGES,MAIN", where MAIN is its main package. For
other validators --profile names what they executed: a file of "go test -coverprofile",
or a directory of GOCOVERDIR. --from reads the results of recorded runs, for instance of
"go test" with DIFFRUN_REPORT, in place of running suites.

--ratchet compares the figures with a file that is committed. A figure that fell gives
exit status 1, with the places that were lost. --update writes what rose, or a new file;
what fell stays in the file.

Exit status: 0 nothing fell; 1 a figure fell, or no case; 2 usage, configuration or
input that cannot be read; 3 a case that could not be decided; 130 interrupted.`,
		Example: `  diffrun coverage suites/widgets
  diffrun coverage --ratchet coverage.yaml            # in CI
  diffrun coverage --ratchet coverage.yaml --update   # after new cases
  diffrun coverage --native k8s.io/kubernetes/pkg/apis/apps/validation apps
  diffrun coverage --native ./validation --profile cover.out --from reports/`,
		RunE: func(command *cobra.Command, args []string) error {
			return p.coverage(command.Context(), args, flags)
		},
	}
	set := command.Flags()
	documentFlag(set, &flags.outputs, "write the coverage", flags.formats().names())
	p.markerFlags(set)
	set.StringVar(&flags.ratchet, "ratchet", "", "compare with the figures in this `file`")
	set.BoolVar(&flags.update, "update", false, "write the figures that rose to the file of --ratchet")
	set.BoolVarP(&flags.verbose, "verbose", "v", false, "list every place that is not covered")
	flags.nativeFlags.add(set, "")
	fromFlag(set, &flags.from, "with --native and --profile: count the results of this `report` in place of running suites")
	set.BoolVar(&flags.objects, "objects", false, "show, for each keyword and rule that is listed, an object that would make it fail, where one can be made; takes a while for large schemas")
	set.StringVar(&flags.only, "run", "", "run only cases whose id matches this regular expression")
	flags.paceFlags.add(set, "cases to check")
	return command
}

// parse says what is wrong with the flags.
func (f coverageFlags) parse() (options runOptions, outputs []output, err error) {
	options.runFlags = runFlags{paceFlags: f.paceFlags, repeat: 1, compare: string(harness.CompareAll), by: byText}
	var errs []error
	outputs, err = documentOutputs(f.outputs, f.formats().names())
	errs = append(errs, err)
	if f.update && f.ratchet == "" {
		errs = append(errs, errors.New("--update writes the file of --ratchet; name one"))
	} else if f.update {
		errs = append(errs, checkLockable("--ratchet ", f.ratchet))
	}
	if f.ratchet != "" && f.only != "" {
		errs = append(errs, errors.New("--run leaves out cases, and --ratchet compares what all of them cover; use one of the two"))
	}
	if len(f.native) == 0 && len(f.profiles)+len(f.from) > 0 {
		errs = append(errs, errProfileAlone)
	}
	if len(f.from) > 0 && len(f.profiles) == 0 {
		errs = append(errs, errors.New("a recorded run does not say what was executed; name a profile with --profile"))
	}
	errs = append(errs, f.paceFlags.check("cases"))
	options.only, err = parseOnly(f.only)
	errs = append(errs, err)
	return options, outputs, errors.Join(errs...)
}

// places are the files that the command writes, and those that its flags name. It reads the file of
// --ratchet and, with --update, writes it.
func (f coverageFlags) places(p *program, outputs []output) places {
	var files places
	files.outputs(outputs, p.stdout)
	switch {
	case f.ratchet == "":
	case f.update:
		files.output("--ratchet "+f.ratchet, f.ratchet)
	default:
		files.input("--ratchet", p.stdin, f.ratchet)
	}
	files.input("--profile", p.stdin, f.profiles...)
	files.inputs("--from", p.stdin, reportExtensions(), f.from...)
	return files
}

func (p *program) coverage(ctx context.Context, args []string, flags coverageFlags) error {
	options, outputs, err := flags.parse()
	files := flags.places(p, outputs)
	if err := errors.Join(err, files.check()); err != nil {
		return usageError{err}
	}
	ratchet, err := flags.readRatchet()
	if err != nil {
		return err
	}
	if len(flags.from) > 0 && len(args) > 0 {
		return usageError{errors.New("--from is in place of suites; name suites or --from")}
	}
	ctx, stop := interruptible(ctx, func() {})
	defer stop()
	native, err := flags.nativeFlags.find(ctx)
	if err != nil {
		return err
	}
	var report coverage.Report
	faults := 0
	if len(flags.from) > 0 {
		report, err = p.countRecorded(flags.from, native)
	} else {
		report, faults, err = p.measure(ctx, args, options, native, flags, files)
	}
	if err != nil {
		return err
	}
	if err := p.writeDocuments(ctx, outputs, flags.formats().writer(report)); err != nil {
		return err
	}
	if faults > 0 {
		return &exitError{statusFault, fmt.Errorf("inputs that could not be decided: %d; \"diffrun run\" says why. They cover nothing", faults)}
	}
	switch {
	case flags.ratchet == "":
		return nil
	case flags.update:
		return p.updateRatchet(ctx, report, flags)
	}
	return p.turn(ratchet.Compare(report), flags)
}

// readRatchet reads the file of --ratchet; without the flag, or where --update will write the first
// one, it is empty.
func (f coverageFlags) readRatchet() (ratchet coverage.Ratchet, err error) {
	if f.ratchet == "" {
		return ratchet, nil
	}
	ratchet, err = coverage.ReadRatchet(f.ratchet)
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.update:
		return coverage.Ratchet{}, nil
	case errors.Is(err, fs.ErrNotExist): // a wrong name would always pass
		return ratchet, fmt.Errorf("--ratchet %s cannot be read: %w; --update writes a new one", f.ratchet, infile.Cause(err))
	}
	return ratchet, err
}

// updateRatchet writes what rose to the file of --ratchet. Another command may have written it during
// the run, so that it is read again.
func (p *program) updateRatchet(ctx context.Context, report coverage.Report, flags coverageFlags) (failed error) {
	lock, err := lockForChange(ctx, "--ratchet ", flags.ratchet, patienceWithChange)
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
	p.judges = true
	return p.turn(ratchet.Compare(report), flags)
}

// measure runs suites and gives what they cover, and how many inputs could not be decided.
func (p *program) measure(ctx context.Context, args []string, options runOptions, native *nativeCalls, flags coverageFlags, files places) (report coverage.Report, faults int, failed error) {
	plan, err := p.loadSuites(ctx, args, options.parallel, files)
	if err != nil {
		return report, 0, err
	}
	closed := sync.OnceValue(plan.Close)
	defer func() {
		if err := closed(); failed == nil {
			failed = err
		}
	}()
	if native.needsCopy(plan) {
		return report, 0, p.runCopy(ctx, native.packages())
	}
	s := &session{
		options: options, plan: plan, ledger: plan.Ledger(), versions: map[schema.GroupVersionKind]bool{}, metrics: metrics.New(),
		reporter: reports.Join(),
	}
	s.startCoverage()
	if flags.objects {
		s.objects = &objectMaker{}
	}
	end, err := s.countNative(native, closed)
	if err != nil {
		return report, 0, err
	}
	defer end()
	if err := p.runCounted(ctx, s); err != nil {
		return report, 0, err
	}
	if err := s.settled(); err != nil {
		return report, 0, err
	}
	report = s.coverage.Report()
	report.Narrowed = narrowingTexts(s.narrowings(true))
	report.AddLines(s.declaredAt)
	if s.objects != nil {
		err = report.AddObjects(ctx, flags.verbose, func(t *coverage.Target) coverage.Breaker { return s.objects.breaker(ctx, t) })
	}
	if ctx.Err() != nil {
		return report, 0, errInterruptedCoverage
	}
	if err != nil {
		return report, 0, err
	}
	return report, s.summary.Verdicts[harness.Faulted], nil
}

// errInterruptedCoverage says that a run that counts was interrupted.
var errInterruptedCoverage = &exitError{statusInterrupted, errors.New("interrupted; nothing is said about what the cases cover")}

// runCounted runs the suites of a session that counts.
func (p *program) runCounted(ctx context.Context, s *session) error {
	p.sayIntents(s.plan)
	s.progress = p.startProgress(s.count())
	defer s.progress.stop()
	err := s.runSuites(ctx)
	s.progress.stop()
	switch {
	case ctx.Err() != nil:
		return errInterruptedCoverage
	case err != nil:
		return err
	case s.summary.Cases == 0 && s.options.only != nil:
		return &exitError{statusDifferent, s.noneChosen()}
	case s.summary.Inputs == 0 && s.summary.Verdicts[harness.Faulted] == 0:
		return &exitError{statusDifferent, errors.New("no case was compared, so nothing is covered")}
	}
	slices.Sort(s.broken)
	for _, why := range s.broken {
		p.warn("diffrun: %s\n", why)
	}
	return nil
}

// turn compares the coverage with the ratchet, and writes it if that is asked for.
func (p *program) turn(c coverage.Comparison, flags coverageFlags) error {
	if len(c.Elsewhere) > 0 {
		p.warn("diffrun: %s has %d targets of suites that did not run; they were not compared\n", flags.ratchet, len(c.Elsewhere))
	}
	if len(c.Uncounted) > 0 {
		p.warn("diffrun: %s has %d packages that were not counted; --native names them\n", flags.ratchet, len(c.Uncounted))
	}
	if err := c.Lost(p.stderr.guarded); err != nil {
		return err
	}
	switch {
	case flags.update && c.Higher:
		if err := c.Updated.Write(flags.ratchet); err != nil {
			return fmt.Errorf("--ratchet %s was not written: %w", flags.ratchet, infile.Cause(err))
		}
	case c.Higher:
		p.warn("diffrun: the coverage is not as in %s; --update writes what rose\n", flags.ratchet)
	}
	if len(c.Lower) > 0 {
		return &exitError{status: statusDifferent, says: fmt.Errorf("less is covered than in %s; add cases for what was lost, or delete the target there and use --update", flags.ratchet)}
	}
	return nil
}

// startCoverage counts what the schemas do from now on.
func (s *session) startCoverage() {
	s.coverage = &coverage.Recorder{}
	for _, suite := range s.plan.Suites {
		for _, version := range suite.Versions() {
			s.coverage.Expect(suite.Of(), version)
		}
	}
}

// declaredAt gives the file and line of a place of a schema; empty: unknown.
func (s *session) declaredAt(t *coverage.Target, declared string) string {
	version, err := apiname.ParseTarget(t.Name)
	if err != nil {
		return ""
	}
	for _, suite := range s.plan.Suites {
		if suite.Of() != t.Suite {
			continue
		}
		if at := suite.Stands(version, declared); at != "" {
			return at
		}
	}
	return ""
}

// cover lets the jobs of a suite count what its schemas do, if that is asked for.
func (s *session) cover(suite *cases.Suite, job *cases.JobOptions) {
	if s.coverage == nil {
		return
	}
	job.Coverage = func(version schema.GroupVersionKind, subresources []string) *declarative.Coverage {
		return s.coverage.Of(suite.Of(), version, subresources)
	}
	job.Native = s.native.Watch
	if s.objects != nil {
		job.Schema = func(version schema.GroupVersionKind, document declarative.Document, definition bool) {
			s.objects.schema(suite.Of(), version, document, definition)
		}
	}
}

// covered notes a result, if coverage is asked for.
func (s *session) covered(result *harness.Result) {
	if s.coverage == nil {
		return
	}
	name := result.Suite
	for _, suite := range s.plan.Suites {
		if suite.Name == name {
			name = suite.Of()
		}
	}
	s.coverage.Add(name, result)
	if s.objects != nil {
		s.objects.add(name, result)
	}
}
