package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/internal/files/infile"
)

// program is the command with all that it takes from its surroundings.
type program struct {
	stdin          io.Reader
	stdout, stderr *terminal
	// bundle holds the bundled suites below "cases".
	bundle fs.FS
	// builtins are the validators that suites may name.
	builtins map[string]cases.Builtin
	now      func() time.Time
	// markers says how markers of Go types are read.
	markers idl.Reading
	// bundledRules gives definitions of Go types the validations of the built-in kinds.
	bundledRules bool
	staged       bool // by a flag
	// args are those of the command line.
	args []string
	// judges: the exit status of the command is a verdict.
	judges bool
}

// execute runs a command line and gives the exit status.
func (p *program) execute(ctx context.Context, args []string) int {
	root := &cobra.Command{
		Use:           "diffrun",
		Short:         "Runs cases through two validators of an API and compares their errors one by one",
		Version:       versionText(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	root.Args = func(command *cobra.Command, args []string) error {
		if len(args) > 0 {
			return usageError{fmt.Errorf("unknown command %q; there are: run, report, coverage, capture, mutate, compare, merge, soak, shadow, validate, schema, rules, exceptions, version, help", args[0])}
		}
		return nil
	}
	root.RunE = func(command *cobra.Command, _ []string) error { return command.Help() }
	root.SetFlagErrorFunc(func(command *cobra.Command, err error) error { return usageError{plainFlag(command, err)} })
	root.AddCommand(p.runCommand(), p.reportCommand(), p.coverageCommand(), p.captureCommand(), p.mutateCommand(), p.compareCommand(), p.mergeCommand(), p.soakCommand(), p.shadowCommand(), p.validateCommand(), p.schemaCommand(), p.rulesCommand(), p.exceptionsCommand(), p.versionCommand())
	refuseUnknownHelp(root)
	p.args = args
	root.SetArgs(args)
	root.SetOut(p.stdout.guarded)
	root.SetErr(p.stderr.guarded)
	ran, err := root.ExecuteContextC(ctx)
	return p.report(ran, p.withStdout(err))
}

// withStdout joins what a command ended with and that stdout could not be written. That does not hide the
// verdict of a command that judges; the text of others is all that they are for.
func (p *program) withStdout(err error) error {
	closing := p.stdout.close()
	ended := (*exitError)(nil)
	switch {
	case closing == nil || err != nil && !errors.As(err, &ended):
		return err
	case err == nil && !p.judges:
		return closing
	case ended == nil:
		ended = &exitError{}
	}
	return &exitError{ended.status, errors.Join(fmt.Errorf("stdout was not written: %w; the exit status is the verdict all the same", infile.Cause(closing)), ended.says)}
}

// exitError ends the command with a status other than that of a mistake. What it says,
// where it says anything, is for stderr.
type exitError struct {
	status status
	says   error
}

func (e *exitError) Error() string {
	if e.says == nil {
		return fmt.Sprintf("exit status %d", e.status)
	}
	return e.says.Error()
}

// orNil gives no error for a command that is done and has nothing to say.
func (e *exitError) orNil() error {
	if e.status == statusOK && e.says == nil {
		return nil
	}
	return e
}

// usageError is a command line that cannot be understood.
type usageError struct{ error }

// refuseUnknownHelp makes "diffrun help COMMAND" refuse a command that is not there, as diffrun itself
// does: cobra shows the help of the command above it.
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

// badFlag is how pflag says that a value cannot be read, with what a package of Go says
// of it.
var badFlag = regexp.MustCompile(`^invalid argument ("(?:[^"\\\\]|\\\\.)*") for "(?:-., )?(--[a-z-]+)" flag: (strconv\.Parse[A-Za-z]+|time|accepted: .*)?`)

// plainFlag says which flags a command has, if it lacks one, and what a flag takes, in place of what
// could not be parsed.
func plainFlag(command *cobra.Command, err error) error {
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		var accepted []string
		command.Flags().VisitAll(func(flag *pflag.Flag) {
			if !flag.Hidden {
				accepted = append(accepted, "--"+flag.Name)
			}
		})
		return fmt.Errorf("%w; accepted: %s", err, strings.Join(accepted, ", "))
	}
	parts := badFlag.FindStringSubmatch(err.Error())
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
	return fmt.Errorf("%s %s: give %s", parts[2], parts[1], wanted)
}

// report tells the user what went wrong and gives the exit status.
func (p *program) report(ran *cobra.Command, err error) int {
	defer p.stderr.close() // there is nobody left to tell
	switch err := err.(type) {
	case nil:
		return int(statusOK)
	case *exitError:
		p.complain(err.says)
		return int(err.status)
	case usageError:
		p.complain(err.error)
		p.warn("%q explains the usage\n", ran.CommandPath()+" --help")
	default:
		p.complain(err)
	}
	return int(statusMistake)
}
