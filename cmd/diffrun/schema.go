package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/schema/gosource"
	schemasource "github.com/diffrun/diffrun/internal/schema/source"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

const schemaSources = `A SCHEMA is a file with CustomResourceDefinitions, as crd.yaml, or crd.yaml@v1 for
one version of them; a directory, of which all files in or below it are taken that have
such; a file with an OpenAPI v3 schema; a built-in kind or definition, as
"apps/v1 Deployment" or "v1 PodTemplateSpec"; or a Go type with markers, as
go:./api/v1.Widget (an import path or a folder, found by the go command from here;
go:./api/v1alpha1,./api/v1.Widget for several versions of one API).
Where no version is named, each served one is taken.`

func (p *program) schemaCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "schema",
		Short: "Print, check, strip, lint and compare schemas",
		Long:  "Print, check, strip, lint and compare schemas.\n\n" + schemaSources,
		Args: func(command *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("unknown command %q; there are: print, check, strip, lint, compare", args[0])}
			}
			return nil
		},
		RunE: func(command *cobra.Command, _ []string) error { return command.Help() },
	}
	print, check, strip, lint, compare := p.schemaPrintCommand(), p.schemaCheckCommand(), p.schemaStripCommand(), p.schemaLintCommand(), p.schemaCompareCommand()
	for _, takesTypes := range []*cobra.Command{print, check, strip, lint, compare} {
		p.typeFlags(takesTypes.Flags())
	}
	command.AddCommand(print, check, strip, lint, compare)
	return command
}

// schemas finds the schemas that arguments mean.
func (p *program) schemas() schemasource.Finder {
	return schemasource.Finder{
		Warn: func(skipped []infile.Skipped) { warnOf(p, skipped) },
		Go:   gosource.Config{Reading: p.markers, BundledRules: p.bundledRules},
		Unexpressed: func(all []idl.Unexpressed) {
			var warnings strictyaml.Mistakes
			for _, each := range all {
				warnings.Addf(each.Position, "the schema cannot express this: %s", each.Why)
			}
			warnOf(p, warnings)
		},
	}
}

// anyNumber is the most arguments of commands that take as many as there are.
const anyNumber = -1

// arguments wants so many arguments, at least and at most, and says what they are.
func arguments(least, most int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) >= least && (most == anyNumber || len(args) <= most) {
			return nil
		}
		given := "no argument is given"
		if len(args) > 0 {
			given = plaintext.Count(len(args), "argument") + " given"
		}
		return usageError{fmt.Errorf("%s; wanted: %s", given, what)}
	}
}
