package main

import (
	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/schema/gosource"
	schemasource "github.com/diffrun/diffrun/internal/schema/source"
)

const schemaSources = `A SCHEMA is a file with CustomResourceDefinitions, such as crd.yaml, or crd.yaml@v1 for
one version of them; a directory, for the definitions in all files in and below it;
a file with an OpenAPI v3 schema; a built-in kind or definition, such as
"apps/v1 Deployment" or "v1 PodTemplateSpec"; or a Go type with markers, such as
go:./api/v1.Widget (an import path or a folder, found by the go command from here;
go:./api/v1alpha1,./api/v1.Widget for several versions of one API).
Without a version, all served ones are meant.`

func (p *program) schemaCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "schema",
		Short: "Print, check, strip, lint and compare schemas",
		Long:  "Print, check, strip, lint and compare schemas.\n\n" + schemaSources,
		Args:  onlySubcommands,
		RunE:  func(command *cobra.Command, _ []string) error { return command.Help() },
	}
	commands := []*cobra.Command{
		p.schemaPrintCommand(),
		p.schemaCheckCommand(),
		p.schemaStripCommand(),
		p.schemaLintCommand(),
		p.schemaCompareCommand(),
	}
	for _, takesTypes := range commands {
		p.typeFlags(takesTypes.Flags())
	}
	command.AddCommand(commands...)
	return command
}

// schemas returns the finder of the schemas that arguments name.
func (p *program) schemas() schemasource.Finder {
	return schemasource.Finder{
		Warn: func(skipped []infile.Skipped) { terminal.WarnAll(p.Console, skipped) },
		Go:   gosource.Config{Reading: p.Markers, BundledRules: p.bundledRules},
		Unexpressed: func(all []idl.Unexpressed) {
			var warnings strictyaml.Mistakes
			for _, each := range all {
				warnings.Addf(each.Position, "the schema cannot express this: %s", each.Why)
			}
			terminal.WarnAll(p.Console, warnings)
		},
	}
}
