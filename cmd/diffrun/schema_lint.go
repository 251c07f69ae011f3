package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/internal/schemalint"
)

// lintFlags are the flags of schema lint.
type lintFlags struct {
	skip []string
	list bool
}

func (p *program) schemaLintCommand() *cobra.Command {
	var flags lintFlags
	command := &cobra.Command{
		Use:   "lint SCHEMA...",
		Short: "Find what is legal in schemas and unwise",
		Long: `Find what is legal in schemas and unwise. Each finding is a line with the file, the
line, the place in the schema, the lint and what was found. Below the findings stands
for each lint that found anything why it matters, and what to do instead. --list
prints all lints; --skip leaves some out.

` + schemaSources + `

Exit status: 0 nothing was found; 1 there are findings; 2 a file that cannot be read,
or a schema that does not compile.`,
		Args: func(command *cobra.Command, args []string) error {
			if flags.list && len(args) > 0 {
				return usageError{errors.New("--list wants no schema")}
			}
			for _, name := range flags.skip {
				if !slices.Contains(schemalint.Names(), name) {
					return usageError{fmt.Errorf("--skip: there is no lint %q; there are %s", name, strings.Join(schemalint.Names(), ", "))}
				}
			}
			if flags.list {
				return nil
			}
			return arguments(1, 0, "the schemas to look at")(command, args)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if flags.list {
				return writeLints(p.stdout, schemalint.All())
			}
			return p.lintSchemas(args, flags)
		},
	}
	command.Flags().StringSliceVar(&flags.skip, "skip", nil, "leave out these `lints`")
	command.Flags().BoolVar(&flags.list, "list", false, "print all lints, with why and what to do")
	return command
}

func (p *program) lintSchemas(args []string, flags lintFlags) error {
	out := bufio.NewWriter(p.stdout)
	counts := map[string]int{}
	schemas, findings := 0, 0
	for _, arg := range args {
		found, err := findSchemas(arg)
		if err != nil {
			return err
		}
		for _, one := range found {
			all, err := schemalint.Check(one.schema, schemalint.Options{
				Definitions: one.definitions, Root: one.root, Costs: one.limited, Skip: flags.skip,
			})
			if err != nil {
				return one.placed(err)
			}
			for _, f := range all {
				fmt.Fprintf(out, "%s: %s: %s: %s\n", one.at(f.At), wholeSchema(f.At), f.Lint, f.What)
				counts[f.Lint]++
			}
			schemas, findings = schemas+1, findings+len(all)
		}
	}
	if err := writeReasons(out, counts); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %s\n", count(schemas, "schema"), count(findings, "finding"))
	if err := out.Flush(); err != nil {
		return err
	}
	if findings > 0 {
		return &exitError{status: statusDifferent}
	}
	return nil
}

// wholeSchema names the place that has no path.
func wholeSchema(at string) string {
	if at == "" {
		return "the schema"
	}
	return at
}

// writeReasons says of the lints that found anything why they matter.
func writeReasons(out io.Writer, counts map[string]int) error {
	var those []schemalint.Lint
	for _, l := range schemalint.All() {
		if counts[l.Name] > 0 {
			l.Name = fmt.Sprintf("%s (%d)", l.Name, counts[l.Name])
			those = append(those, l)
		}
	}
	return writeLints(out, those)
}

func writeLints(out io.Writer, lints []schemalint.Lint) error {
	var text strings.Builder
	for _, l := range lints {
		fmt.Fprintf(&text, "%s\n  why: %s\n  do:  %s\n", l.Name, l.Why, l.Do)
	}
	_, err := io.WriteString(out, text.String())
	return err
}
