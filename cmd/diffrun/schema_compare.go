package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	schemacompare "github.com/diffrun/diffrun/internal/schema/compare"
	schemasource "github.com/diffrun/diffrun/internal/schema/source"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// compareFlags are the flags of "diffrun schema compare".
type compareFlags struct {
	objects int
	all     bool
	both    bool
	seed    uint64
	levels  string
	failOn  []string
	outputs []string
}

func (f compareFlags) formats() terminal.DocumentFormats[*schemacompare.Comparison] {
	return terminal.DocumentFormats[*schemacompare.Comparison]{
		{Name: "text", Write: func(c *schemacompare.Comparison, w io.Writer) error {
			return c.Text(w, schemacompare.TextOptions{All: f.all})
		}},
		{Name: "json", Write: func(c *schemacompare.Comparison, w io.Writer) error { return c.JSON(w, version()) }},
		{Name: "markdown", Write: (*schemacompare.Comparison).Markdown},
	}
}

// schemaCompareHelp is the help of "diffrun schema compare".
const schemaCompareHelp = `Show what B accepts that A rejects, and the reverse.

Schemas are compared keyword by keyword. Each change is shown with the smallest object
that one validator accepts and the other rejects. A transition rule is shown by an update;
a default by what is stored. Generated objects look for differences that no change
explains. Keywords that have no effect on the type of their value are not changes, nor are
those whose effect the other schema is proven to have: a rule that follows from others, a
bound beside a tighter enum, branches in a different order. Fields that a schema does not
declare count as rejected, as with kubectl.

If both are files with CustomResourceDefinitions, or directories with such files, the
definitions are compared, too: group, scope, names, versions that are gone or no longer
served or stored, conversion, subresources. Versions are paired by name. Unless a webhook
converts, the versions that B serves are also compared with each other, and differences
that A does not have are shown.

A change has a level: error, unproven, warning or none. What B accepts and A rejects is a
warning, such as an optional field that is new: stored objects stay valid. With --both it is
an error, because objects of B go back to A, as in a rollback. So are the differences between
two versions of one definition. Unproven is an error that no object shows and that nothing
disproves. Both give exit status 1 unless --fail-on says otherwise. Changes of level none are
not shown. --levels names a file that sets the levels of changes;
the first row that matches a change counts:

  levels:
  - {effect: wider, path: spec.mode, level: error}     # its readers know the old values
  - {kind: pattern, shown: false, level: warning}      # no object shows it
  - {kind: enum, path: spec.mode, level: none}
  - {kind: scope, level: error}

Two files with ValidatingAdmissionPolicies or MutatingAdmissionPolicies, their bindings and
parameters are compared by requests: objects of the built-in kinds that their rules name are
changed until one release admits what the other one denies. Each difference is shown by a
small object. --objects is the number of requests for each kind, 10000 if it is not given;
the same --seed makes the same ones. That none is found is no proof.

` + schemaSources + `

Exit status: 0 no change of a level that fails; 1 such changes; 2 usage, or a schema
that cannot be read or does not compile; 130 interrupted.`

func (p *program) schemaCompareCommand() *cobra.Command {
	var flags compareFlags
	command := &cobra.Command{
		Use:   "compare A B",
		Short: "Show what one release of an API, or of policies, accepts that another rejects",
		Long:  schemaCompareHelp,
		Example: `  # may the new release be rolled out?
  diffrun schema compare widgets-1.4.yaml widgets-1.5.yaml

  # and back?
  diffrun schema compare --both widgets-1.4.yaml widgets-1.5.yaml

  # two versions of a file
  diffrun schema compare widgets.yaml@v1beta1 widgets.yaml@v1

  # a file of two commits; a cluster and a file
  diffrun schema compare <(git show v1.4:crd.yaml) crd.yaml
  diffrun schema compare <(kubectl get crd widgets.example.com -o yaml) crd.yaml`,
		Args: arguments(2, 2, "two schemas, A and B"),
		RunE: func(command *cobra.Command, args []string) error {
			if flags.objects < 0 {
				return terminal.Usagef("--objects %d: must be a number of objects, or 0 to generate none", flags.objects)
			}
			before, isPolicy := schemasource.Policies(args[0])
			if after, is := schemasource.Policies(args[1]); is && isPolicy {
				if !command.Flags().Changed("objects") {
					flags.objects = policyRequests
				}
				return p.comparePolicies(command.Context(), before, after, flags)
			} else if is != isPolicy {
				return terminal.Usagef("one of %s and %s has policies, and the other one has none; compare two files with policies, "+
					"or two schemas", args[0], args[1])
			}
			return p.compareSchemas(command.Context(), args[0], args[1], flags)
		},
	}
	command.Flags().IntVar(&flags.objects, "objects", 2000, "how many generated objects both schemas of a version validate; 0: none")
	command.Flags().BoolVar(&flags.all, "all", false, "show every change")
	command.Flags().BoolVar(&flags.both, "both", false, "fail on what B accepts and A rejects, too, as a rollback does")
	command.Flags().Uint64Var(&flags.seed, "seed", 1, "the seed of the generated objects")
	command.Flags().StringVar(&flags.levels, "levels", "", "take the levels of changes from this `file`")
	command.Flags().StringSliceVar(&flags.failOn, "fail-on", []string{"error", "unproven"},
		"exit with status 1 on changes of these `levels`: error, unproven, warning")
	terminal.AcceptWords(command.Flags(), "fail-on", []string{"error", "unproven", "warning"})
	terminal.DocumentFlag(command.Flags(), &flags.outputs, "write the changes", flags.formats().Names())
	return command
}

func (p *program) compareSchemas(ctx context.Context, nameA, nameB string, flags compareFlags) error {
	p.Judges = true
	outputs, err := terminal.DocumentOutputs(flags.outputs, flags.formats().Names())
	files := p.NewFiles()
	files.Outputs(outputs)
	files.Schemas("schema", nameA, nameB)
	if flags.levels != "" {
		files.Input("--levels", flags.levels)
	}
	if err := errors.Join(err, files.Check()); err != nil {
		return terminal.Usage(err)
	}
	failOn, err := schemacompare.FailOn(flags.failOn)
	if err != nil {
		return terminal.Usagef("--fail-on: %w", err)
	}
	options := schemacompare.Options{Objects: flags.objects, Seed: flags.seed, Both: flags.both}
	if flags.levels != "" {
		if options.Levels, err = schemacompare.ReadLevels(flags.levels); err != nil {
			return err
		}
	}
	ctx, stop := terminal.Interruptible(ctx, func() {})
	defer stop()
	compared, err := schemacompare.Arguments(ctx, p.schemas(), nameA, nameB, options)
	switch {
	case ctx.Err() != nil:
		return terminal.Exitf(terminal.Interrupted, "interrupted; schemas that were not compared to the end are not reported")
	case err != nil:
		return err
	}
	if compared.Idle {
		p.Warn("diffrun: neither schema accepts any of the generated objects, so they show nothing; the changes come from the " +
			"schemas alone\n")
	}
	p.warnOfConverting(compared.Converting)
	err = p.WriteDocuments(ctx, outputs, flags.formats().Writer(compared))
	if err != nil {
		return err
	}
	if compared.Fails(failOn) {
		return terminal.Exit(terminal.Different)
	}
	return nil
}

// warnOfConverting warns of definitions whose versions were not compared with each other.
func (p *program) warnOfConverting(definitions []string) {
	shown, more := plaintext.First(definitions)
	for _, name := range shown {
		p.Warn("diffrun: a webhook converts the versions of %s, so those that B serves were not compared with each other\n", name)
	}
	if more > 0 {
		p.Warn("diffrun: %s\n", plaintext.More(more))
	}
}
