package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/internal/lintreport"
	"github.com/diffrun/diffrun/internal/plaintext"
	"github.com/diffrun/diffrun/internal/schemalint"
)

// lintFlags are the flags of schema lint.
type lintFlags struct {
	only, disable []string
	baseline      string
	outputs       []string
	list          bool
	all           bool
}

func (p *program) schemaLintCommand() *cobra.Command {
	var flags lintFlags
	command := &cobra.Command{
		Use:   "lint SCHEMA...",
		Short: "Find mistakes in schemas that the API server accepts",
		Long: `Find mistakes in schemas that the API server accepts. A finding has a severity:

  error    the schema does not say what its author meant
  warning  the schema says something that people regret later
  info     a place to think about; good schemas have many of these

Errors and warnings are shown; --all also shows infos. Each finding is a line with the
file, the line, the severity, the place in the schema, the lint and what was found. Below
the findings stands for each lint how often it found something, why it matters, and what
to do. Of each lint the first ` + fmt.Sprint(lintreport.FewFindings) + ` findings in a definition are shown; --all shows every one.
What several versions of a definition have is reported once.

--list prints all lints. --only and --disable choose some. A baseline holds findings that
are accepted; write it with -o json=FILE and --all, and give it with --baseline FILE.

` + schemaSources + `

Exit status: 0 no finding is reported; 1 findings are reported; 2 a file that cannot be
read, or a schema that does not compile.`,
		Example: `  # accept what is there today, and fail on what is new
  diffrun schema lint --all -o json=lint-baseline.json config/crd
  diffrun schema lint --baseline lint-baseline.json config/crd`,
		Args: func(command *cobra.Command, args []string) error {
			if flags.list && len(args) > 0 {
				return usageError{errors.New("--list takes no schema")}
			}
			if _, err := schemalint.Select(flags.only, nil); err != nil {
				return usageError{fmt.Errorf("--only: %w", err)}
			}
			if _, err := schemalint.Select(nil, flags.disable); err != nil {
				return usageError{fmt.Errorf("--disable: %w", err)}
			}
			if flags.list {
				return nil
			}
			return arguments(1, anyNumber, "the schemas to look at")(command, args)
		},
		RunE: func(command *cobra.Command, args []string) error {
			if flags.list {
				lints, err := schemalint.Select(flags.only, flags.disable)
				if err != nil {
					return err
				}
				return lintreport.Lints(p.stdout.guarded, lints)
			}
			return p.lintSchemas(command.Context(), args, flags)
		},
	}
	command.Flags().StringSliceVar(&flags.only, "only", nil, "use only these `lints`")
	command.Flags().StringSliceVar(&flags.disable, "disable", nil, "leave out these `lints`")
	command.Flags().StringVar(&flags.baseline, "baseline", "", "accept the findings in this `file`, which -o json wrote")
	command.Flags().StringArrayVarP(&flags.outputs, "output", "o", []string{"text"}, "write the findings as text, json or sarif; `FORMAT=FILE` writes to a file; may be repeated")
	command.Flags().BoolVar(&flags.all, "all", false, "also show infos, and every finding")
	command.Flags().BoolVar(&flags.list, "list", false, "print all lints, with why and what to do")
	return command
}

func (p *program) lintSchemas(ctx context.Context, args []string, flags lintFlags) error {
	outputs, err := documentOutputs(flags.outputs, []string{"text", "json", "sarif"})
	if err != nil {
		return usageError{err}
	}
	options := lintreport.Options{Only: flags.only, Disable: flags.disable, All: flags.all}
	if flags.baseline != "" {
		if options.Baseline, err = lintreport.ReadBaseline(flags.baseline); err != nil {
			return err
		}
	}
	schemas, err := p.schemas().Each(args)
	if err != nil {
		return err
	}
	report, err := lintreport.Check(schemas, options)
	if err != nil {
		return err
	}
	if report.Gone > 0 {
		p.warn("diffrun: warning: %s of %s no longer there; write the baseline again\n", plaintext.Count(report.Gone, "finding"), flags.baseline)
	}
	err = p.writeDocuments(ctx, outputs, func(format string, w io.Writer) error {
		switch format {
		case "json":
			return report.JSON(w, version())
		case "sarif":
			return report.SARIF(w, version())
		}
		return report.Text(w)
	})
	if err != nil {
		return err
	}
	if len(report.Findings) > 0 {
		return &exitError{status: statusDifferent}
	}
	return nil
}
