package main

import (
	"github.com/spf13/cobra"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/structural"
	schemasource "github.com/diffrun/diffrun/internal/schema/source"
)

func (p *program) schemaStripCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "strip SCHEMA...",
		Short: "Print the skeletons of schemas: their structure without value validations",
		Long: `Print the skeletons of schemas as YAML: their types and fields, with defaults and
Kubernetes' extensions, and without value validations, junctors and rules (KEP-2335).
What is valid for a schema is valid for its skeleton. It is what pruning and
defaulting look at.

print --strip-extensions is another thing: it keeps value validations and leaves the
extensions out.

` + schemaSources,
		Args: arguments(1, anyNumber, "the schemas to strip"),
		RunE: func(_ *cobra.Command, args []string) error { return p.printSchemas(args, withoutValidations) },
	}
}

// withoutValidations is a schema without value validations.
func withoutValidations(one schemasource.Schema) (schemasource.Schema, error) {
	one.Schema = structural.Strip(one.Schema)
	bare := make(map[string]*spec.Schema, len(one.Definitions))
	for name, definition := range one.Definitions {
		bare[name] = structural.Strip(definition)
	}
	one.Definitions = bare
	return one, nil
}
