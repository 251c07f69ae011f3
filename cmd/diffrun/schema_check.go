package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/internal/definitions"
	"github.com/diffrun/diffrun/internal/strictyaml"
)

func (p *program) schemaCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE...",
		Short: "Check CustomResourceDefinitions as the API server does when they are created",
		Long: `Check CustomResourceDefinitions as the API server does when they are created.

Each violation is a line: FILE:LINE: PATH: what is wrong, with the path as the API
server writes it. Where a schema is not structural (KEP-2335), the message of the
condition NonStructuralSchema follows.

Exit status: 0 the API server would take them; 1 violations; 2 a file that cannot be
read, or that holds something else.`,
		Args: arguments(1, 0, "the files to check"),
		RunE: func(command *cobra.Command, args []string) error {
			return p.checkSchemas(command.Context(), args)
		},
	}
}

func (p *program) checkSchemas(ctx context.Context, files []string) error {
	var all []*definitions.Definition
	var mistakes strictyaml.Mistakes
	for _, file := range files {
		read, err := readAllDefinitions(file)
		mistakes.Merge(file, err)
		all = append(all, read...)
	}
	if err := mistakes.Err(); err != nil {
		return err
	}
	out := bufio.NewWriter(p.stdout)
	violations := 0
	for _, definition := range all {
		found, err := checkDefinition(ctx, out, definition)
		if err != nil {
			return errors.Join(err, out.Flush())
		}
		violations += found
	}
	fmt.Fprintf(out, "%s in %s: %s\n", count(len(all), "CustomResourceDefinition"), count(len(files), "file"), count(violations, "violation"))
	if err := out.Flush(); err != nil {
		return err
	}
	if violations > 0 {
		return &exitError{status: statusDifferent}
	}
	return nil
}

// checkDefinition writes the violations of one definition and counts them.
func checkDefinition(ctx context.Context, out *bufio.Writer, d *definitions.Definition) (int, error) {
	errs, err := structural.CheckCRD(ctx, d.CRD)
	if err != nil {
		return 0, d.Mistake("spec.versions", "cannot be checked: %v", err)
	}
	for _, err := range errs {
		fmt.Fprintf(out, "%s: %v\n", d.At(d.Path(err.Field)), onOneLine(err))
	}
	if condition := structural.Condition(d.CRD); condition != nil {
		fmt.Fprintf(out, "%s: condition %s %s: %s\n", d.At("spec"), condition.Type, condition.Status, condition.Message)
		if len(errs) == 0 {
			return 1, nil
		}
	}
	return len(errs), nil
}
