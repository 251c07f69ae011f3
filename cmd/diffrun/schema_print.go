package main

import (
	"maps"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/openapi/skeleton"
	schemasource "github.com/diffrun/diffrun/internal/schema/source"
	"github.com/diffrun/diffrun/internal/text/oneof"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

func (p *program) schemaPrintCommand() *cobra.Command {
	var strip, defaulted bool
	format := "schema"
	command := &cobra.Command{
		Use:   "print SCHEMA...",
		Short: "Print schemas as YAML",
		Long: `Print schemas as YAML, one document for each.

--strip-extensions removes all extensions of Kubernetes. Where plain OpenAPI can express
what they mean, it is used instead (x-kubernetes-int-or-string, -embedded-resource and
-unions, KEP-2335). Value validations stay; "schema strip" removes those.

A built-in kind is printed for objects as clients send them: with the defaults of the
schema filled in, it accepts them. Fields that Kubernetes sets before it validates, and
that no schema can declare, are not required: imagePullPolicy, for instance, depends on
the tag of the image. --defaulted prints the schema that runs compare, for objects that
have these fields.

-o crd prints the whole CustomResourceDefinition of a Go type, as controller-gen writes it
and with the markers of KEP-4153 and +k8s: in your packages. Fields of Kubernetes types, such
as PodTemplateSpec, are as controller-gen writes them; with --bundled-rules they have the
validations of the built-in kinds.

` + schemaSources,
		Args: arguments(1, anyNumber, "the schemas to print"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := oneof.Check("--output", format, "schema", "crd"); err != nil {
				return terminal.Usage(err)
			}
			if format == "crd" {
				return p.printDefinitions(args)
			}
			return p.printSchemas(args, func(one schemasource.Schema) (made schemasource.Schema, err error) {
				if made = one; !defaulted {
					if made, err = one.Sent(); err != nil {
						return made, err
					}
				}
				if strip {
					return stripped(made), nil
				}
				return made.Joined()
			})
		},
	}
	command.Flags().BoolVar(&strip, "strip-extensions", false, "print plain OpenAPI v3, without x-… keywords")
	command.Flags().BoolVar(&defaulted, "defaulted", false, "print built-in kinds for objects in which Kubernetes has set "+
		"all defaults, as runs compare them")
	command.Flags().StringVarP(&format, "output", "o", format, "what to print: schema, or crd, the definition of a Go type")
	return command
}

// printDefinitions prints the CustomResourceDefinitions of Go types.
func (p *program) printDefinitions(args []string) error {
	finder := p.schemas()
	var out strings.Builder
	var mistakes strictyaml.Mistakes
	for _, argument := range args {
		text, err := finder.CRD(argument)
		mistakes.Merge(argument, err)
		out.Write(text)
	}
	if err := mistakes.Err(); err != nil {
		return err
	}
	return p.Stdout.Printf("%s", plaintext.Text(out.String()))
}

// printSchemas prints the schemas that arguments name, each changed by a function.
func (p *program) printSchemas(args []string, change func(schemasource.Schema) (schemasource.Schema, error)) error {
	found, err := p.schemas().Each(args)
	if err != nil {
		return err
	}
	var out strings.Builder
	var mistakes strictyaml.Mistakes
	for _, one := range found {
		// Printed references must have a target.
		if _, err := skeleton.Compile(one.Schema, one.Definitions); err != nil {
			mistakes.Merge(one.Name, one.Placed(err))
			continue
		}
		printed, err := change(one)
		if err != nil {
			return err
		}
		if err := writeSchema(&out, printed); err != nil {
			return err
		}
	}
	if err := mistakes.Err(); err != nil {
		return err
	}
	return p.Stdout.Printf("%s", plaintext.Text(out.String()))
}

// writeSchema writes a schema and the definitions that its references name as one document.
func writeSchema(out *strings.Builder, one schemasource.Schema) error {
	printed := *one.Schema
	if len(one.Definitions) > 0 {
		printed.Definitions = spec.Definitions{}
		for name, definition := range one.Definitions {
			printed.Definitions[name] = *definition
		}
	}
	text, err := plaintext.YAML(printed)
	if err != nil {
		return err
	}
	if out.Len() > 0 {
		out.WriteString("---\n")
	}
	out.WriteString(plaintext.Sprintf("# %s\n%s", one.Name, plaintext.Text(text)))
	return nil
}

// stripped returns a schema in plain OpenAPI.
func stripped(one schemasource.Schema) schemasource.Schema {
	return changed(one, func(s *spec.Schema) *spec.Schema { return withoutExtensions(structural.Unfold(s)) })
}

// changed returns a schema and its definitions, each changed by a function.
func changed(one schemasource.Schema, change func(*spec.Schema) *spec.Schema) schemasource.Schema {
	one.Schema, one.Definitions = change(one.Schema), maps.Clone(one.Definitions)
	for name, definition := range one.Definitions {
		one.Definitions[name] = change(definition)
	}
	return one
}

// withoutExtensions returns a schema without any x-… keyword, at any depth.
func withoutExtensions(s *spec.Schema) *spec.Schema {
	plain := openapi.MapChildren(s, func(child openapi.Child) *spec.Schema { return withoutExtensions(child.Schema) })
	plain.Extensions = nil
	return plain
}
