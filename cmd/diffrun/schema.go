package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/internal/infile"
	"github.com/diffrun/diffrun/internal/plaintext"
	"github.com/diffrun/diffrun/internal/schemasource"
)

const schemaSources = `A SCHEMA is a file with CustomResourceDefinitions, as crd.yaml, or crd.yaml@v1 for
one version of them; a directory, of which all files in or below it are taken that have
such; a file with an OpenAPI v3 schema; or a built-in kind, as "apps/v1 Deployment".
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
	command.AddCommand(p.schemaPrintCommand(), p.schemaCheckCommand(), p.schemaStripCommand(), p.schemaLintCommand(), p.schemaCompareCommand())
	return command
}

// schemas finds the schemas that arguments mean.
func (p *program) schemas() schemasource.Finder {
	return schemasource.Finder{Warn: func(skipped []infile.Skipped) { warnOf(p, skipped) }}
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
