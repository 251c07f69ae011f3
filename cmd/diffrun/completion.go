package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/gate"
	"github.com/diffrun/diffrun/internal/schema/kepwords"
	"github.com/diffrun/diffrun/internal/validate"
)

// addCompletions completes the values of arguments and flags in shells ("diffrun completion").
func (p *program) addCompletions(root *cobra.Command) {
	shared := flagWords()
	var visit func(*cobra.Command)
	visit = func(command *cobra.Command) {
		command.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			words := terminal.AcceptedWords(flag)
			if oneOf, isChoice := flag.Value.(*choice); isChoice {
				words = oneOf.accepted
			}
			if words == nil {
				words = shared[flag.Name]
			}
			if words != nil {
				_ = command.RegisterFlagCompletionFunc(flag.Name, completeList(words)) // it fails for unknown flags
			}
		})
		switch command.CommandPath() {
		case "diffrun run", "diffrun coverage", "diffrun mutate", "diffrun explore", "diffrun soak", "diffrun shadow":
			command.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				return p.BundledNames(), cobra.ShellCompDirectiveDefault // and files
			}
		}
		for _, sub := range command.Commands() {
			visit(sub)
		}
	}
	visit(root)
}

// completeList completes the last word of a list with commas.
func completeList(words []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		var completed []string
		for _, word := range words {
			if completion := before + word; strings.HasPrefix(completion, typed) {
				completed = append(completed, completion)
			}
		}
		return completed, cobra.ShellCompDirectiveNoFileComp
	}
}

// flagWords returns the words that flags accept, by the name of a flag that means the same in each command.
func flagWords() map[string][]string {
	return map[string][]string{
		"color":                   texts(terminal.ColorWords()),
		"fail-on":                 gate.Words(),
		"compare":                 append(texts(words.CompareValues()), contract.NativeName, contract.DeclarativeName),
		"prune":                   {run.PruneDrop, run.PruneReport},
		"self":                    {contract.NativeName, contract.DeclarativeName},
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
