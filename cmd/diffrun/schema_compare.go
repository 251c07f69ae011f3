package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/defaulting"
	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/internal/plaintext"
	"github.com/diffrun/diffrun/internal/schemadiff"
	"github.com/diffrun/diffrun/internal/schemasource"
	"github.com/diffrun/diffrun/internal/strictyaml"
)

// compareFlags are the flags of "diffrun schema compare" as the user gave them.
type compareFlags struct {
	objects int
	all     bool
	seed    uint64
}

func (p *program) schemaCompareCommand() *cobra.Command {
	var flags compareFlags
	command := &cobra.Command{
		Use:   "compare A B",
		Short: "Say what one schema accepts that another rejects",
		Long: `Say what schema B accepts that A rejects, and the reverse.

The schemas are compared keyword by keyword, and both validate generated objects. A
change is shown with the smallest object that was found for it. What nobody could
name, or judge, is said to be unknown. Fields that a schema does not declare count as
rejected, as with kubectl.

` + schemaSources + `

Exit status: 0 no difference was found; 1 differences; 2 usage, or a schema that
cannot be read or does not compile; 130 interrupted.`,
		Example: `  # may the new version be rolled out, and back?
  diffrun schema compare widgets-1.4.yaml@v1 widgets-1.5.yaml@v1`,
		Args: arguments(2, 2, "two schemas, A and B"),
		RunE: func(command *cobra.Command, args []string) error {
			if flags.objects < 0 {
				return usageError{fmt.Errorf("--objects %d: give a number of objects, or 0 to compare the schemas alone", flags.objects)}
			}
			return p.compareSchemas(command.Context(), args[0], args[1], flags)
		},
	}
	command.Flags().IntVar(&flags.objects, "objects", 2000, "how many objects both schemas validate; 0: none")
	command.Flags().BoolVar(&flags.all, "all", false, "show every change")
	command.Flags().Uint64Var(&flags.seed, "seed", 1, "decides which objects are generated")
	return command
}

func (p *program) compareSchemas(ctx context.Context, nameA, nameB string, flags compareFlags) error {
	a, errA := p.schemas().One(nameA)
	b, errB := p.schemas().One(nameB)
	if err := joined(errA, errB); err != nil {
		return err
	}
	sideA, errA := compileSide(a)
	sideB, errB := compileSide(b)
	if err := joined(errA, errB); err != nil {
		return err
	}
	ctx, stop := interruptible(ctx, func() {})
	defer stop()
	changes := schemadiff.Walk(sideA, sideB)
	outcome, err := schemadiff.Run(ctx, sideA, sideB, schemadiff.RunOptions{
		Objects: flags.objects, Seed: flags.seed, Apart: schemadiff.Texts(changes),
	})
	switch {
	case ctx.Err() != nil:
		return &exitError{statusInterrupted, errors.New("interrupted; nothing is said about schemas that were not compared to the end")}
	case err != nil:
		return err
	}
	changes = schemadiff.Explain(changes, outcome.Examples)
	header := plaintext.Sprintf("A %s\nB %s\n%s, seed %d: A accepts %d, B %d\n",
		a.Name, b.Name, plaintext.Count(flags.objects, "object"), flags.seed, outcome.AcceptedA, outcome.AcceptedB)
	if flags.objects > 0 && outcome.AcceptedA+outcome.AcceptedB == 0 {
		p.warn("diffrun: neither schema accepts any of the generated objects; the changes are read from the schemas alone\n")
	}
	if err := p.stdout.Printf("%s", plaintext.Text(header+flags.drawChanges(changes))); err != nil {
		return err
	}
	if len(changes) > 0 {
		return &exitError{status: statusDifferent}
	}
	return nil
}

// joined keeps the lines of two errors; the same one twice counts once.
func joined(a, b error) error {
	switch {
	case a == nil:
		return b
	case b == nil || a.Error() == b.Error():
		return a
	}
	var mistakes strictyaml.Mistakes
	mistakes.Merge("A", a)
	mistakes.Merge("B", b)
	return mistakes.Err()
}

// compileSide readies a schema for a comparison: an object is accepted that has no
// unknown field and, with its defaults, no error.
func compileSide(of schemasource.Schema) (schemadiff.Side, error) {
	side := schemadiff.Side{Schema: of.Schema, Definitions: of.Definitions}
	validator, err := declarative.Compile(of.Schema, declarative.Options{Definitions: of.Definitions, Root: true, Estimation: declarative.EstimationOff})
	if err != nil {
		return side, of.Placed(err)
	}
	pruner, err := pruning.Compile(of.Schema, pruning.Options{Definitions: of.Definitions, Root: true, Metadata: pruning.LeaveMetadata})
	if err != nil {
		return side, of.Placed(err)
	}
	defaulter, err := defaulting.Compile(of.Schema, defaulting.Options{Definitions: of.Definitions})
	if err != nil {
		return side, of.Placed(err)
	}
	side.Validate = func(ctx context.Context, object map[string]any) []schemadiff.Rejection {
		var rejections []schemadiff.Rejection
		pruned := pruner.Prune(object)
		for _, path := range pruned.Dropped {
			rejections = append(rejections, schemadiff.Rejection{Field: path, Kind: "unknown field", Text: path + ": unknown field"})
		}
		defaulted := defaulter.Default(pruned.Object)
		for _, err := range validator.Validate(ctx, value.NewValueInterface(defaulted), nil) {
			rejections = append(rejections, schemadiff.Rejection{Field: err.Field, Kind: string(err.Type), Text: plaintext.Error(err)})
		}
		return rejections
	}
	return side, nil
}
