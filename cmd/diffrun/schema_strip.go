package main

import (
	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/backends/declarative/structural"
	schemasource "github.com/diffrun/diffrun/internal/schema/source"
)

func (p *program) schemaStripCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "strip SCHEMA...",
		Short: "Print the skeletons of schemas: their structure without value validations",
		Long: `Print the skeletons of schemas as YAML: their types and fields, with defaults and
Kubernetes' extensions, and without value validations, junctors and rules (KEP-2335).
An object that is valid for a schema is valid for its skeleton. Pruning and defaulting
use the skeleton.

print --strip-extensions is different: it keeps value validations and removes the
extensions.

` + schemaSources,
		Args: arguments(1, anyNumber, "the schemas to strip"),
		RunE: func(_ *cobra.Command, args []string) error {
			return p.printSchemas(args,
				func(one schemasource.Schema) (schemasource.Schema, error) { return changed(one, structural.Strip), nil })
		},
	}
}
