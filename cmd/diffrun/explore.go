package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/exploring"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
)

func (p *program) exploreCommand() *cobra.Command {
	var options run.Options
	var flags exploring.Flags
	command := &cobra.Command{
		Use:   "explore [SUITE...]",
		Short: "Look for inputs on which both validators disagree, and make them small",
		Long: `Look for inputs on which the two validators of each suite disagree, and make them small.

It starts from the objects of the cases that a validator accepts, and from objects made from
the schema. It changes one thing at a time: values at and beside each bound of the schema, the
values that rules compare a field with, parts that are missing, null, empty or repeated, other
spellings, and updates between accepted objects. Then it combines changes at random, and
prefers inputs that made a validator do something new: report a new error, or, if the suite has it
built by "go run", execute code that no input executed before. The conditions that the source of
such validators says are goals: inputs are made for each side of each of their atoms. It ends if nothing new was seen for a
while, or after --duration.

Each new difference is shrunk until no field, item or character can be left out, and becomes
a case. The report is that of a run of these cases. --write-cases keeps them, so that
"diffrun run" compares them from then on.

Exit status: as diffrun run; 0 means that no unexplained difference was found.`,
		RunE: func(command *cobra.Command, args []string) error {
			err := errors.Join(options.Parse(), flags.Check())
			files := options.Files(p.Console)
			if err := errors.Join(err, files.Check()); err != nil {
				return terminal.Usage(err)
			}
			counter := errorsites.NewCounter()
			options.Counting = counter
			options.Source = exploring.Source(&p.Environment, &flags, options.Pace, counter)
			return run.Run(command.Context(), &p.Environment, args, &options, files)
		},
	}
	flags.AddFlags(command.Flags())
	options.AddFoundFlags(command.Flags())
	p.markerFlags(command.Flags())
	return command
}
