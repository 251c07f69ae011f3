package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/internal/plaintext"
	"github.com/diffrun/diffrun/internal/schemalint"
	"github.com/diffrun/diffrun/internal/strictyaml"
)

// lintFlags are the flags of schema lint.
type lintFlags struct {
	skip []string
	list bool
	all  bool
}

func (p *program) schemaLintCommand() *cobra.Command {
	var flags lintFlags
	command := &cobra.Command{
		Use:   "lint SCHEMA...",
		Short: "Find what is legal in a schema but probably a mistake",
		Long: `Find what is legal in a schema but probably a mistake. Each finding is a line with the file, the
line, the place in the schema, the lint and what was found. Below the findings stands
for each lint that found anything how often, why it matters, and what to do instead.
Of each lint the first ` + fmt.Sprint(fewFindings) + ` findings in a schema are shown; --all shows every one. --list
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
			return arguments(1, anyNumber, "the schemas to look at")(command, args)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if flags.list {
				out := p.stdout.printer()
				writeLints(out, schemalint.All())
				return out.Flush()
			}
			return p.lintSchemas(args, flags)
		},
	}
	command.Flags().StringSliceVar(&flags.skip, "skip", nil, "leave out these `lints`")
	command.Flags().BoolVar(&flags.all, "all", false, "show every finding")
	command.Flags().BoolVar(&flags.list, "list", false, "print all lints, with why and what to do")
	return command
}

// fewFindings are so many of one lint that people see what they have in common.
const fewFindings = 5

func (p *program) lintSchemas(args []string, flags lintFlags) error {
	out := p.stdout.printer()
	total := lintCounts{found: map[string]int{}, hidden: map[string]int{}}
	found, err := p.findEach(args)
	if err != nil {
		return err
	}
	var mistakes strictyaml.Mistakes
	for _, one := range found {
		all, err := schemalint.Check(one.schema, schemalint.Options{
			Definitions: one.definitions, Root: one.root, Costs: one.limited, Skip: flags.skip,
		})
		if err != nil {
			mistakes.Merge(one.name, one.placed(err))
			continue
		}
		total.write(out, one, all, flags.all)
	}
	if err := mistakes.Err(); err != nil {
		return err
	}
	writeReasons(out, total)
	out.Printf("%s: %s\n", plaintext.Count(len(found), "schema"), total)
	if err := out.Flush(); err != nil {
		return err
	}
	if sum(total.found) > 0 {
		return &exitError{status: statusDifferent}
	}
	return nil
}

// lintCounts are how many findings each lint has, and how many of these were not shown.
type lintCounts struct{ found, hidden map[string]int }

// write writes the findings in a schema: of each lint a few, or all.
func (c lintCounts) write(out *plaintext.Printer, of namedSchema, findings []schemalint.Finding, all bool) {
	here := map[string]int{}
	for _, f := range findings {
		c.found[f.Lint]++
		if here[f.Lint]++; here[f.Lint] > fewFindings && !all {
			c.hidden[f.Lint]++
			continue
		}
		out.Printf("%s: %s: %s: %s\n", of.at(f.At), wholeSchema(f.At), f.Lint, f.What)
	}
}

// String is how many there are in all.
func (c lintCounts) String() string {
	text := plaintext.Count(sum(c.found), "finding")
	if hidden := sum(c.hidden); hidden > 0 {
		text += fmt.Sprintf(", of which %d are not shown (--all shows them)", hidden)
	}
	return text
}

// of is how many a lint has.
func (c lintCounts) of(lint string) string {
	if c.hidden[lint] == 0 {
		return strconv.Itoa(c.found[lint])
	}
	return fmt.Sprintf("%d, %d shown", c.found[lint], c.found[lint]-c.hidden[lint])
}

func sum(counts map[string]int) int {
	total := 0
	for _, n := range counts {
		total += n
	}
	return total
}

// wholeSchema names the place that has no path.
func wholeSchema(at string) string {
	if at == "" {
		return "the schema"
	}
	return at
}

// writeReasons says of the lints that found anything why they matter.
func writeReasons(out *plaintext.Printer, counts lintCounts) {
	var those []schemalint.Lint
	for _, l := range schemalint.All() {
		if counts.found[l.Name] > 0 {
			l.Name = fmt.Sprintf("%s (%s)", l.Name, counts.of(l.Name))
			those = append(those, l)
		}
	}
	writeLints(out, those)
}

func writeLints(out *plaintext.Printer, lints []schemalint.Lint) {
	for _, l := range lints {
		out.Printf("%s\n  why: %s\n  do:  %s\n", l.Name, l.Why, l.Do)
	}
}
