package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/text/oneof"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// program is the command with everything that it takes from its surroundings.
type program struct {
	run.Environment
	// bundledRules adds the validations of the built-in kinds to definitions of Go types.
	bundledRules bool
}

// execute runs a command line and returns the exit status.
func (p *program) execute(ctx context.Context, args []string) int {
	p.Args, p.Version = args, version()
	root := p.command()
	root.SetArgs(args)
	root.SetOut(p.Stdout.Guarded)
	root.SetErr(p.Stderr.Guarded)
	ran, err := root.ExecuteContextC(ctx)
	return int(p.Finish(ran.CommandPath(), err))
}

// command returns the command with its subcommands.
func (p *program) command() *cobra.Command {
	root := &cobra.Command{
		Use:           "diffrun",
		Short:         "Runs cases through two validators of an API and compares their errors one by one",
		Version:       versionText(),
		Args:          onlySubcommands,
		RunE:          func(command *cobra.Command, _ []string) error { return command.Help() },
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(command *cobra.Command, err error) error { return terminal.Usage(explainFlag(command, err)) })
	root.AddCommand(p.runCommand(), p.reportCommand(), p.coverageCommand(), p.captureCommand(), p.mutateCommand(),
		p.compareCommand(), p.mergeCommand(), p.soakCommand(), p.exploreCommand(), p.inferCommand(), p.shadowCommand(),
		p.validateCommand(), p.schemaCommand(), p.rulesCommand(), p.exceptionsCommand(), p.acceptCommand(), p.versionCommand(),
		p.demoCommand(), p.initCommand(), p.upgradeCommand())
	refuseUnknownHelp(root)
	root.PersistentFlags().Var(colorFlag{p.Console}, "color", "whether to use colors: "+oneof.List(terminal.ColorWords())+
		"; auto: on a terminal, unless NO_COLOR is set")
	p.addHelp(root)
	p.addCompletions(root)
	addExamples(root)
	return root
}

// onlySubcommands refuses arguments of a command that has only subcommands.
func onlySubcommands(command *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range command.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return terminal.Usagef("unknown command %q;%s %s has: %s", args[0], oneof.DidYouMean(args[0], names),
		command.CommandPath(), strings.Join(names, ", "))
}

// anyNumber is the maximum of commands that take any number of arguments.
const anyNumber = -1

// arguments requires a number of arguments. wanted describes them.
func arguments(least, most int, wanted string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) >= least && (most == anyNumber || len(args) <= most) {
			return nil
		}
		given := "no argument"
		if len(args) > 0 {
			given = plaintext.Count(len(args), "argument")
		}
		return terminal.Usagef("got %s, expected %s", given, wanted)
	}
}

// refuseUnknownHelp makes "diffrun help COMMAND" refuse unknown commands. By default, cobra shows the
// help of the parent command.
func refuseUnknownHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, command := range root.Commands() {
		if command.Name() != "help" {
			continue
		}
		command.Args = func(_ *cobra.Command, args []string) error {
			found, rest, err := root.Find(args)
			if err == nil && len(rest) > 0 && found.HasSubCommands() {
				return found.Args(found, rest)
			}
			return err
		}
	}
}

// invalidValue matches pflag's error about a value that cannot be parsed.
var invalidValue = regexp.MustCompile(`^invalid argument ("(?:[^"\\\\]|\\\\.)*") for "(?:-., )?(--[a-z-]+)" flag: ` +
	`(strconv\.Parse[A-Za-z]+|time|accepted: .*)?`)

// explainFlag adds to an error which flags the command has, or which values the flag takes.
func explainFlag(command *cobra.Command, err error) error {
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		var accepted []string
		command.Flags().VisitAll(func(flag *pflag.Flag) {
			if !flag.Hidden {
				accepted = append(accepted, "--"+flag.Name)
			}
		})
		nearest := ""
		if unknown.GetSpecifiedShortnames() == "" {
			nearest = oneof.DidYouMean("--"+unknown.GetSpecifiedName(), accepted)
		}
		return fmt.Errorf("%w;%s accepted: %s", err, nearest, strings.Join(accepted, ", "))
	}
	parts := invalidValue.FindStringSubmatch(err.Error())
	if parts == nil {
		return err
	}
	wanted := map[string]string{
		"strconv.ParseInt": "a whole number", "strconv.ParseBool": "true or false", "time": "a duration, such as 10s or 2m",
	}[parts[3]]
	switch {
	case strings.HasPrefix(parts[3], "accepted: "):
		return fmt.Errorf("%s does not know %s; %s", parts[2], parts[1], parts[3])
	case wanted == "":
		return err
	}
	return fmt.Errorf("%s %s: must be %s", parts[2], parts[1], wanted)
}

// colorFlag is the flag --color. It sets the colors of both streams.
type colorFlag struct{ console *terminal.Console }

func (f colorFlag) String() string { return string(terminal.ColorAuto) }

func (colorFlag) Type() string { return "word" }

func (f colorFlag) Set(text string) error {
	color := terminal.Color(text)
	if err := oneof.Check("--color", color, terminal.ColorWords()...); err != nil {
		return err
	}
	f.console.Stdout.SetColor(color)
	f.console.Stderr.SetColor(color)
	return nil
}
