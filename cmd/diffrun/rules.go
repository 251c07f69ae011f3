package main

import (
	"cmp"
	"errors"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/recorded"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

func (p *program) rulesCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "rules",
		Short: "List and test the rules that make errors equivalent",
		Args:  onlySubcommands,
		RunE:  func(command *cobra.Command, _ []string) error { return command.Help() },
	}
	command.AddCommand(p.rulesListCommand(), p.rulesTestCommand())
	return command
}

func (p *program) rulesListCommand() *cobra.Command {
	var from string
	command := &cobra.Command{
		Use:   "list [FILE...]",
		Short: "List the built-in rules and those of files, with their hits in a run",
		Long: `List the built-in rules and those of files.

With --from, the report of a run (-o json or -o jsonl; - is stdin), the list shows
how many errors each rule made equivalent there:

  diffrun run -o json | diffrun rules list --from -`,
		RunE: func(_ *cobra.Command, args []string) error {
			rules, err := p.rules(args)
			if err != nil {
				return err
			}
			if from == "" {
				return p.listRules(rules, nil)
			}
			run, err := recorded.Read(p.Console, from)
			if err != nil {
				return err
			}
			recorded.WarnPartial(p.Console, run)
			return p.listRules(rules, ruleHits(run.Results))
		},
	}
	command.Flags().StringVar(&from, "from", "", "count hits in this report of a run; - is stdin")
	return command
}

// rules returns the built-in rules and those of files.
func (p *program) rules(files []string) (*equivalence.RuleSet, error) {
	builtin, err := equivalence.BuiltinRules()
	if err != nil {
		return nil, err
	}
	sets := []*equivalence.RuleSet{builtin}
	var mistakes strictyaml.Mistakes
	for _, file := range files {
		data, err := infile.ReadFile(file)
		if err != nil {
			mistakes.Addf(strictyaml.Position{File: file}, "cannot be read: %v; expected a file with a list of rules", infile.Cause(err))
			continue
		}
		set, err := equivalence.LoadRules(file, data)
		mistakes.Merge(file, err)
		sets = append(sets, set)
	}
	if err := mistakes.Err(); err != nil {
		return nil, err
	}
	return (*equivalence.RuleSet)(nil).With(sets...)
}

func ruleHits(recorded []harness.Result) map[string]int {
	hits := map[string]int{}
	for _, result := range recorded {
		for _, pair := range result.Pairs {
			for _, rule := range []*equivalence.Rule{pair.Rule, pair.Repeats} {
				if rule != nil {
					hits[rule.Name]++
				}
			}
		}
	}
	return hits
}

// listRules prints a line for each rule, with its hits unless they are nil.
func (p *program) listRules(rules *equivalence.RuleSet, hits map[string]int) error {
	table := tabwriter.NewWriter(p.Stdout.Guarded, 0, 0, 2, ' ', 0)
	out := plaintext.NewPrinter(table)
	if hits != nil {
		out.Printf("hits\t")
	}
	out.Printf("rule\tkind\ttype\ttarget\twhere\twhy\n")
	for _, rule := range rules.All() {
		if hits != nil {
			out.Printf("%d\t", hits[rule.Name])
		}
		out.Printf("%s\t%s\t%s\t%s\t%s\t%s\n", plaintext.Cut(rule.Name, plaintext.MaxCell), rule.Kind, ruleTypes(rule),
			plaintext.Cut(cmp.Or(rule.Target(), "any"), plaintext.MaxCell), plaintext.Cut(rule.Position.String(), plaintext.MaxCell),
			rule.Why)
	}
	return errors.Join(out.Flush(), table.Flush())
}

func ruleTypes(rule *equivalence.Rule) string {
	switch {
	case rule.NativeType == "":
		return "any"
	case rule.NativeType == rule.DeclarativeType:
		return string(rule.NativeType)
	}
	return string(rule.NativeType) + " ~ " + string(rule.DeclarativeType)
}

func (p *program) rulesTestCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "test [FILE...]",
		Short: "Test the built-in rules and those of files on their examples",
		Long: `Test the rules of files on their examples: each pair that should match must become
equivalent, and no near miss may, neither by its own rule nor by any other.
The built-in rules are tested with them; no FILE: only these.

Exit status: 0 success; 1 a near miss matches another rule, or a rule is not needed;
2 a file that cannot be read, or a rule that fails its own examples.`,
		RunE: func(_ *cobra.Command, args []string) error {
			rules, err := p.rules(args)
			if err != nil {
				return err
			}
			examples := 0
			for _, rule := range rules.All() {
				examples += len(rule.Match) + len(rule.Differ)
			}
			findings := rules.Test()
			p.Judges = true
			out := plaintext.NewPrinter(p.Stdout.Infallible())
			for _, finding := range findings {
				out.Printf("%s\n", finding)
			}
			out.Printf("%d rules, %d examples, %d findings\n", len(rules.All()), examples, len(findings))
			if err := out.Flush(); err != nil {
				return err
			}
			if len(findings) > 0 {
				return terminal.Exit(terminal.Different)
			}
			return nil
		},
	}
}
