package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	utilversion "k8s.io/apimachinery/pkg/util/version"

	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/celexpr/release"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// checkFlags are the flags of "diffrun schema check".
type checkFlags struct {
	old, kubernetes string
	all             bool
}

func (p *program) schemaCheckCommand() *cobra.Command {
	var flags checkFlags
	command := &cobra.Command{
		Use:   "check FILE|DIRECTORY|GOTYPE...",
		Short: "Check CustomResourceDefinitions as the API server does when they are created",
		Long: `Check CustomResourceDefinitions as the API server does when they are created.

Each violation is a line: FILE:LINE: PATH: what is wrong, with the path as the API
server writes it. The first ` + fmt.Sprint(plaintext.MaxItems) + ` of each definition are shown; --all shows all. If a
schema is not structural (KEP-2335), the message of the condition NonStructuralSchema
follows. Extensions that the API server does not know, such as x-kubernetes-unions, are
warnings: it ignores them.

With --old they are checked as updates of the definitions with the same names in that
file: the API server tolerates mistakes that the old definition has, and some fields
must not change. A definition without an old one is new.

With --kubernetes 1.29 the rules are also checked as that release does: it refuses functions
of CEL that it does not have. All else is checked as today.

A directory selects all manifests in and below it that have a
CustomResourceDefinition. go:./api/v1.Widget is the definition made from a Go type.

Exit status: 0 the API server would accept them; 1 violations; 2 a file that cannot be
read, or that contains something else.`,
		Args: arguments(1, anyNumber, "the files to check"),
		RunE: func(command *cobra.Command, args []string) error {
			return p.checkSchemas(command.Context(), args, flags)
		},
	}
	command.Flags().StringVar(&flags.old, "old", "", "check updates of the definitions in this `file`")
	command.Flags().StringVar(&flags.kubernetes, "kubernetes", "", "also refuse the rules that this `release` of Kubernetes refuses")
	command.Flags().BoolVar(&flags.all, "all", false, "show every violation")
	return command
}

func (p *program) checkSchemas(ctx context.Context, files []string, flags checkFlags) error {
	p.Judges = true
	var of *utilversion.Version
	if flags.kubernetes != "" {
		var err error
		if of, err = release.Parse(flags.kubernetes); err != nil {
			return terminal.Usagef("--kubernetes: %w", err)
		}
	}
	finder := p.schemas()
	files, err := finder.Files(files)
	if err != nil {
		return err
	}
	var all []*definitions.Definition
	var mistakes strictyaml.Mistakes
	old := map[string]*apiextensionsv1.CustomResourceDefinition{}
	if flags.old != "" {
		read, err := finder.ReadAllFile(flags.old)
		mistakes.Merge(flags.old, err)
		for _, d := range read {
			old[d.CRD.Name] = d.CRD
		}
	}
	for _, file := range files {
		read, err := finder.ReadAllFile(file)
		mistakes.Merge(file, err)
		all = append(all, read...)
	}
	if err := mistakes.Err(); err != nil {
		return err
	}
	out := plaintext.NewPrinter(p.Stdout.Infallible())
	violations := 0
	for _, definition := range all {
		found, err := flags.check(ctx, out, definition, old[definition.CRD.Name], of)
		if err != nil {
			return out.FlushAfter(err)
		}
		violations += found
	}
	out.Printf("%s in %s: %s\n", plaintext.Count(len(all), "CustomResourceDefinition"), plaintext.Count(len(files), "file"),
		plaintext.Count(violations, "violation"))
	if err := out.Flush(); err != nil {
		return err
	}
	if violations > 0 {
		return terminal.Exit(terminal.Different)
	}
	return nil
}

// check prints the violations of a definition, and returns their number. old is the definition that it
// updates, or nil. of is a release whose rules are asked too, or nil.
func (f checkFlags) check(ctx context.Context, out *plaintext.Printer, d *definitions.Definition,
	old *apiextensionsv1.CustomResourceDefinition, of *utilversion.Version) (int, error) {
	var errs field.ErrorList
	var err error
	if old == nil {
		errs, err = structural.CheckCRD(ctx, d.CRD)
	} else {
		errs, err = structural.CheckCRDUpdate(ctx, d.CRD, old)
	}
	if err != nil {
		return 0, d.Mistake("spec.versions", "cannot be checked: %v", err)
	}
	errs = append(errs, refusedBy(d, of)...)
	shown, more := plaintext.First(errs)
	if f.all {
		shown, more = errs, 0
	}
	for _, err := range shown {
		out.Printf("%s: %v\n", d.At(d.Path(err.Field)), err)
	}
	if more > 0 {
		out.Printf("%s: %s violations; --all shows them\n", d.At(""), plaintext.More(more))
	}
	for _, version := range d.Versions {
		for _, place := range version.IgnoredExtensions() {
			out.Printf("%s: %s: warning: the API server does not know this extension and ignores it\n", d.At(place), place)
		}
	}
	if condition := structural.Condition(d.CRD); condition != nil {
		out.Printf("%s: condition %s %s: %s\n", d.At("spec"), condition.Type, condition.Status, condition.Message)
		if len(errs) == 0 && old == nil {
			return 1, nil
		}
	}
	return len(errs), nil
}

// refusedBy returns the rules that a release refuses, with the paths of the API server; nil: there is no release.
func refusedBy(d *definitions.Definition, of *utilversion.Version) (all field.ErrorList) {
	if of == nil {
		return nil
	}
	for _, v := range d.Versions {
		for _, err := range structural.RefusedBy(v.Schema, of) {
			err.Field = v.Path + "." + err.Field
			err.Detail = fmt.Sprintf("Kubernetes %s: %s", of, err.Detail)
			all = append(all, err)
		}
	}
	return all
}
