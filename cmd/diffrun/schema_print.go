package main

import (
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

With --strip-extensions what Kubernetes' extensions mean is written in plain OpenAPI
as far as that has words for it (x-kubernetes-int-or-string, -embedded-resource and
-unions, KEP-2335), and all extensions are left out. Value validations stay: "schema
strip" is what leaves those out.

A built-in kind is printed for objects as clients send them: fill in its defaults, and
it accepts an ordinary one. What Kubernetes sets before it validates and no schema can
declare, such as imagePullPolicy, which depends on the tag of the image, is not
required. --defaulted prints the schema that runs compare, for objects that have it.

-o crd prints the whole CustomResourceDefinition of a Go type, as controller-gen writes it
with the markers of KEP-4153 and +k8s: in your packages added. Types of Kubernetes that yours
has as fields, such as PodTemplateSpec, are as controller-gen writes them; with
--bundled-rules they have the validations of the built-in kinds.

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
	command.Flags().BoolVar(&defaulted, "defaulted", false, "print built-in kinds for objects in which Kubernetes has set all defaults, as runs compare them")
	command.Flags().StringVarP(&format, "output", "o", format, "what to print: schema, or crd, the definition of a Go type")
	return command
}

// printDefinitions prints CustomResourceDefinitions of Go types.
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

// printSchemas prints what is made of the schemas that arguments mean.
func (p *program) printSchemas(args []string, made func(schemasource.Schema) (schemasource.Schema, error)) error {
	found, err := p.schemas().Each(args)
	if err != nil {
		return err
	}
	var out strings.Builder
	var mistakes strictyaml.Mistakes
	for _, one := range found {
		// What a reference means is a part of what is printed.
		if _, err := skeleton.Compile(one.Schema, one.Definitions); err != nil {
			mistakes.Merge(one.Name, one.Placed(err))
			continue
		}
		printed, err := made(one)
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

// writeSchema writes a schema as a document. Definitions stand beside it, where its
// references find them.
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

func stripped(one schemasource.Schema) schemasource.Schema {
	one.Schema = withoutExtensions(structural.Unfold(one.Schema))
	plain := make(map[string]*spec.Schema, len(one.Definitions))
	for name, definition := range one.Definitions {
		plain[name] = withoutExtensions(structural.Unfold(definition))
	}
	one.Definitions = plain
	return one
}

// withoutExtensions returns a schema without any x-… keyword, at any depth.
func withoutExtensions(s *spec.Schema) *spec.Schema {
	plain := openapi.MapChildren(s, func(c openapi.Child) *spec.Schema { return withoutExtensions(c.Schema) })
	plain.Extensions = nil
	return plain
}
