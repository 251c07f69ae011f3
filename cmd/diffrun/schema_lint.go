package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	schemalint "github.com/diffrun/diffrun/internal/schema/lint"
	"github.com/diffrun/diffrun/internal/schema/lintreport"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// lintFlags are the flags of "diffrun schema lint".
type lintFlags struct {
	only, disable        []string
	baseline, exceptions string
	outputs              []string
	list, all, builtin   bool
	skipOthers           bool
}

const lintText = `Find mistakes in schemas that the API server accepts, and in the Go types that they are
made of. A finding has a severity:

  error    the schema does not mean what its author intended
  warning  the schema has something that authors regret later
  info     something to consider; good schemas have many of these

Errors and warnings are shown; --all also shows infos. Each finding is a line with the
file, the line, the severity, the place in the schema, the lint and a message; for a Go
type it is the line of the marker or field. A summary shows for each lint how often it found
something, why it matters, and what to do. The first %d findings of each lint in a
definition are shown; --all shows all. A finding in several versions of a definition is
reported once.

Packages such as ./api/... or go:./api/v1 select all their types that embed TypeMeta and
ObjectMeta: those of a kubebuilder project as definitions, all others with the conventions
of KEP-4153. The markers of versions of one API are compared too: packages of one group, or
folders such as v1alpha1 and v1. Types of other modules are left out. --builtin selects
the built-in kinds with the bundled overlays; their sources are found in the module of the
working directory, which must require k8s.io/api.

A file with ValidatingAdmissionPolicies or MutatingAdmissionPolicies is linted too: against
the schemas of the built-in kinds that its rules name, and of the definitions among the
arguments.

Named files without a definition, a schema or a policy are skipped and counted, but at least
one argument must have something to lint. --skip-others is for hooks, which pass whatever
files a commit has: it also skips templates of charts and patches of kustomizations, and
accepts that nothing is left.

--list prints all lints. --only and --disable choose some. A baseline has the findings that
exist today; write it with -o json=FILE and --all, and use it with --baseline FILE.
Exceptions are findings that were reviewed, each with owner, why, issue and the last day;
use them with --exceptions FILE. One that expired or accepts nothing fails the run.

%s

Exit status: 0 no finding is reported; 1 findings are reported, or exceptions are stale; 2
a file or package that cannot be read, or a schema that does not compile.`

func (p *program) schemaLintCommand() *cobra.Command {
	var flags lintFlags
	command := &cobra.Command{
		Use:   "lint SCHEMA|PACKAGES|POLICIES...",
		Short: "Find mistakes in schemas and policies that the API server accepts, and in Go types",
		Long:  fmt.Sprintf(lintText, lintreport.FewFindings, schemaSources),
		Example: `  # accept the findings of today, and fail on new ones
  diffrun schema lint --all -o json=lint-baseline.json config/crd
  diffrun schema lint --baseline lint-baseline.json config/crd

  # all types of a project, with lines of the Go sources
  diffrun schema lint ./api/...`,
		Args: func(command *cobra.Command, args []string) error { return flags.check(command, args) },
		RunE: func(command *cobra.Command, args []string) error {
			if flags.list {
				lints, err := schemalint.Select(flags.only, flags.disable)
				if err != nil {
					return err
				}
				return lintreport.Lints(p.Stdout.Guarded, lints)
			}
			return p.lintSchemas(command.Context(), args, flags)
		},
	}
	flags.add(command.Flags())
	return command
}

func (f *lintFlags) add(set *pflag.FlagSet) {
	set.StringSliceVar(&f.only, "only", nil, "run only these `lints`")
	set.StringSliceVar(&f.disable, "disable", nil, "leave out these `lints`")
	terminal.AcceptWords(set, "only", schemalint.Names())
	terminal.AcceptWords(set, "disable", schemalint.Names())
	set.StringVar(&f.baseline, "baseline", "", "accept the findings in this `file`, which -o json wrote")
	set.StringVar(&f.exceptions, "exceptions", "", "accept the findings that this `file` of exceptions lists")
	terminal.DocumentFlag(set, &f.outputs, "write the findings", lintFormats().Names())
	set.BoolVar(&f.all, "all", false, "also show infos, and every finding")
	set.BoolVar(&f.list, "list", false, "print all lints, with reasons and advice")
	set.BoolVar(&f.skipOthers, "skip-others", false, "also skip templates and patches, and succeed if there is nothing to lint; for hooks")
	set.BoolVar(&f.builtin, "builtin", false, "lint the built-in kinds with the bundled overlays")
}

// check returns a mistake in the arguments.
func (f *lintFlags) check(command *cobra.Command, args []string) error {
	if f.list && (len(args) > 0 || f.builtin) {
		return terminal.Usagef("--list takes no schema")
	}
	if _, err := schemalint.Select(f.only, nil); err != nil {
		return terminal.Usagef("--only: %w", err)
	}
	if _, err := schemalint.Select(nil, f.disable); err != nil {
		return terminal.Usagef("--disable: %w", err)
	}
	if f.list || f.builtin {
		return nil
	}
	return arguments(1, anyNumber, "the schemas or packages to lint, or --builtin")(command, args)
}

// accepted reads the baseline and the exceptions.
func (f *lintFlags) accepted(options *lintreport.Options) error {
	var mistakes strictyaml.Mistakes
	var err error
	if f.baseline != "" {
		options.Baseline, err = lintreport.ReadBaseline(f.baseline)
		mistakes.Merge(f.baseline, err)
	}
	if f.exceptions != "" {
		options.Exceptions, err = lintreport.ReadExceptions(f.exceptions, time.Now())
		mistakes.Merge(f.exceptions, err)
	}
	return mistakes.Err()
}

func lintFormats() terminal.DocumentFormats[*lintreport.Report] {
	return terminal.DocumentFormats[*lintreport.Report]{
		{Name: "text", Write: (*lintreport.Report).Text},
		{Name: "json", Write: func(r *lintreport.Report, w io.Writer) error { return r.JSON(w, version()) }},
		{Name: "sarif", Write: func(r *lintreport.Report, w io.Writer) error { return r.SARIF(w, version()) }},
	}
}

func (p *program) lintSchemas(ctx context.Context, args []string, flags lintFlags) error {
	p.Judges = true
	outputs, err := terminal.DocumentOutputs(flags.outputs, lintFormats().Names())
	files := p.NewFiles()
	files.Outputs(outputs)
	files.Schemas("schema", args...)
	for flag, file := range map[string]string{"--baseline": flags.baseline, "--exceptions": flags.exceptions} {
		if file != "" {
			files.Input(flag, file)
		}
	}
	if err := errors.Join(err, files.Check()); err != nil {
		return terminal.Usage(err)
	}
	options := lintreport.Options{Only: flags.only, Disable: flags.disable, All: flags.all, Policies: policyLinter()}
	if err := flags.accepted(&options); err != nil {
		return err
	}
	finder := p.schemas()
	finder.SkipOthers = flags.skipOthers
	found, err := finder.Packages(args, flags.builtin)
	if err != nil {
		return err
	}
	report, err := lintreport.Check(found, options)
	if err != nil {
		return err
	}
	if report.Gone > 0 {
		p.Warn("diffrun: warning: %s of %s no longer there; write the baseline again\n", plaintext.Count(report.Gone, "finding"),
			flags.baseline)
	}
	err = p.WriteDocuments(ctx, outputs, lintFormats().Writer(report))
	if err != nil {
		return err
	}
	for _, stale := range report.Stale {
		p.Warn("%s\n", stale)
	}
	if len(report.Findings)+len(report.Stale) > 0 {
		return terminal.Exit(terminal.Different)
	}
	return nil
}
