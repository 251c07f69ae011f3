package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/findings/gate"
	"github.com/diffrun/diffrun/internal/schema/kepwords"
	"github.com/diffrun/diffrun/internal/validate"
	"github.com/diffrun/diffrun/reports"
)

// addCompletions completes the values of arguments and flags in shells ("diffrun completion").
func (p *program) addCompletions(root *cobra.Command) {
	words := flagWords()
	var visit func(*cobra.Command)
	visit = func(command *cobra.Command) {
		for name, accepted := range words {
			if command.LocalFlags().Lookup(name) != nil {
				complete(command, name, accepted)
			}
		}
		switch command.CommandPath() {
		case "diffrun run", "diffrun coverage", "diffrun mutate", "diffrun soak", "diffrun shadow":
			command.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				return p.BundledNames(), cobra.ShellCompDirectiveDefault // and files
			}
		}
		switch command.CommandPath() {
		case "diffrun run", "diffrun merge", "diffrun report":
			complete(command, "output", reports.Formats())
		case "diffrun validate":
			complete(command, "output", validateFormats())
		}
		for _, sub := range command.Commands() {
			visit(sub)
		}
	}
	visit(root)
}

// complete completes the value of a flag of a command. A flag that a command does not have is left out.
func complete(command *cobra.Command, flag string, words []string) {
	_ = command.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// flagWords returns the words that flags accept, by the name of the flag, which means the same in each command.
func flagWords() map[string][]string {
	return map[string][]string{
		"color":                   texts(terminal.ColorWords()),
		"fail-on":                 gate.Words(),
		"prune":                   {run.PruneDrop, run.PruneReport},
		"self":                    {harness.NativeName, harness.DeclarativeName},
		"by":                      run.ByWords(),
		"shard-by":                run.ShardByWords(),
		"backend":                 texts(validate.Engines()),
		"semantics":               {semanticsCustomResources, semanticsNativeTypes},
		"subresource":             {subresource.StatusName, subresource.ScaleName},
		"preserve-unknown-fields": {kepwords.PreservingOneLevel, kepwords.PreservingDeep},
		"null-defaulting":         {kepwords.NullsDrop, kepwords.NullsKeep},
		"scale":                   {kepwords.ScaleAsServed, kepwords.ScaleAsProposed},
	}
}

func texts[W ~string](words []W) []string {
	var all []string
	for _, word := range words {
		all = append(all, string(word))
	}
	return slices.Clip(all)
}
