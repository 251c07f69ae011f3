package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
)

// The groups of commands, in the order of "diffrun --help".
const (
	groupCompare  = "Compare"
	groupValidate = "Validate objects and schemas"
	groupCases    = "Make and weigh cases"
	groupAccept   = "Accept what is known"
	groupProduce  = "Run in production"
	groupOther    = "Other"
)

// groups are the commands of each group. The first of them are what a newcomer needs.
func groups() []struct {
	title    string
	commands []string
} {
	return []struct {
		title    string
		commands []string
	}{
		{groupCompare, []string{"demo", "init", "run", "report", "compare", "merge", "upgrade"}},
		{groupValidate, []string{"validate", "schema", "infer"}},
		{groupCases, []string{"explore", "capture", "coverage", "mutate"}},
		{groupAccept, []string{"accept", "exceptions", "rules"}},
		{groupProduce, []string{"soak", "shadow"}},
	}
}

// widest is the number of columns of a help text on a wide terminal.
const widest = 100

// addHelp sets the help of all commands.
func (p *program) addHelp(root *cobra.Command) {
	for _, group := range groups() {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title + ":"})
		for _, command := range root.Commands() {
			if slices.Contains(group.commands, command.Name()) {
				command.GroupID = group.title
			}
		}
	}
	root.AddGroup(&cobra.Group{ID: groupOther, Title: groupOther + ":"})
	for _, command := range root.Commands() {
		command.GroupID = cmp.Or(command.GroupID, groupOther)
	}
	root.SetHelpCommandGroupID(groupOther)
	root.SetCompletionCommandGroupID(groupOther)
	root.SetHelpFunc(func(command *cobra.Command, _ []string) {
		command.Print(helpText(command, p.Stdout))
	})
}

// helpText returns the help of a command. On a terminal, it fits the columns.
func helpText(command *cobra.Command, stdout *terminal.Terminal) string {
	columns := min(stdout.Width(), widest) // 0: not a terminal
	parts := []string{wrap(cmp.Or(command.Long, command.Short), columns), "Usage:\n  " + usageLine(command)}
	if command.Example != "" {
		parts = append(parts, "Examples:\n"+strings.TrimRight(command.Example, "\n"))
	}
	parts = append(parts, commandLists(command, columns)...)
	common, more := splitFlags(command)
	for _, section := range []struct {
		title string
		flags *pflag.FlagSet
	}{{"Common flags", common}, {"Flags", more}, {"Global flags", command.InheritedFlags()}} {
		if section.flags.HasAvailableFlags() {
			parts = append(parts, section.title+":\n"+strings.TrimRight(section.flags.FlagUsagesWrapped(columns), "\n"))
		}
	}
	if command.HasAvailableSubCommands() {
		parts = append(parts, fmt.Sprintf("%q explains a command.", command.CommandPath()+" COMMAND --help"))
	}
	return strings.Join(parts, "\n\n") + "\n"
}

func usageLine(command *cobra.Command) string {
	if command.HasAvailableSubCommands() {
		return command.CommandPath() + " COMMAND"
	}
	return command.UseLine()
}

// commandLists returns a list of subcommands for each group that has some.
func commandLists(command *cobra.Command, columns int) []string {
	const indent = 14 // columns
	var lists []string
	list := func(title string, in func(*cobra.Command) bool, order []string) {
		var lines []string
		commands := slices.Clone(command.Commands())
		slices.SortStableFunc(commands, func(a, b *cobra.Command) int {
			return cmp.Compare(slices.Index(order, a.Name()), slices.Index(order, b.Name()))
		})
		for _, sub := range commands {
			if (sub.IsAvailableCommand() || sub.Name() == "help") && in(sub) {
				short := strings.ReplaceAll(wrap(sub.Short, max(columns-indent, 0)), "\n", "\n"+strings.Repeat(" ", indent))
				lines = append(lines, fmt.Sprintf("\n  %-*s%s", indent-2, sub.Name(), short))
			}
		}
		if lines != nil {
			lists = append(lists, title+":"+strings.Join(lines, ""))
		}
	}
	if !command.HasParent() {
		for _, group := range groups() {
			list(group.title, func(sub *cobra.Command) bool { return sub.GroupID == group.title }, group.commands)
		}
		list(groupOther, func(sub *cobra.Command) bool { return sub.GroupID == groupOther }, nil)
	} else {
		list("Commands", func(*cobra.Command) bool { return true }, nil)
	}
	return lists
}

// splitFlags returns the common flags of a command in their order, and the others.
func splitFlags(command *cobra.Command) (common, more *pflag.FlagSet) {
	common, more = pflag.NewFlagSet("", pflag.ContinueOnError), pflag.NewFlagSet("", pflag.ContinueOnError)
	common.SortFlags = false
	command.InitDefaultHelpFlag()
	local := command.LocalFlags()
	names := commonFlags(strings.TrimPrefix(command.CommandPath(), "diffrun "))
	for _, name := range names {
		if flag := local.Lookup(name); flag != nil {
			common.AddFlag(flag)
		}
	}
	local.VisitAll(func(flag *pflag.Flag) {
		if !slices.Contains(names, flag.Name) {
			more.AddFlag(flag)
		}
	})
	return common, more
}

// commonFlags returns the flags of a command that most of its users need. It is empty for commands with few flags.
func commonFlags(command string) []string {
	return map[string][]string{
		"run":              {"output", "run", "list", "fail-on", "compare", "timeout", "start-timeout"},
		"coverage":         {"output", "objects", "ratchet", "update", "verbose"},
		"mutate":           {"output", "run", "timeout"},
		"merge":            {"output", "fail-on"},
		"capture":          {"output", "func"},
		"soak":             {"folder", "duration", "stdin", "generate", "addr"},
		"shadow":           {"folder", "addr", "tls-cert-file", "tls-private-key-file", "queue"},
		"validate":         {"filename", "crd", "output", "ignore-missing-schemas", "jsonl"},
		"exceptions add":   {"from", "why", "owner", "issue", "expires", "all"},
		"exceptions prune": {"from", "file"},
		"schema lint":      {"output", "exceptions"},
		"schema compare":   {"output"},
		"upgrade":          {"from", "to", "filename", "output", "fail-on"},
		"explore":          {"output", "duration", "kinds", "write-cases", "seed", "fail-on"},
	}[command]
}

// wrap fills the paragraphs of a text to a number of columns. Lines that begin with a blank stay as they are. With
// no columns, so does the text.
func wrap(text string, columns int) string {
	if columns <= 0 {
		return text
	}
	var lines []string
	filling := false // the last line can take more words
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if line == "" || strings.HasPrefix(line, " ") {
			lines, filling = append(lines, line), false
			continue
		}
		for word := range strings.FieldsSeq(line) {
			if last := len(lines) - 1; filling && utf8.RuneCountInString(lines[last])+1+utf8.RuneCountInString(word) <= columns {
				lines[last] += " " + word
				continue
			}
			lines, filling = append(lines, word), true
		}
	}
	return strings.Join(lines, "\n")
}
