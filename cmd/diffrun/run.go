package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/heap"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
)

func (p *program) runCommand() *cobra.Command {
	var options run.Options
	command := &cobra.Command{
		Use:   "run [SUITE...]",
		Short: "Run both validators of each suite over its cases and compare their errors",
		Long: `Run both validators of each suite over its cases and compare their errors.

A SUITE is a suite.yaml, a directory with suites in or below it, or the name of
a bundled suite. Without a SUITE, suite.yaml and diffrun/*/suite.yaml of this directory
run or, if it has none, the bundled suites.

Exit status: 0 success; 1 differences, unmet expectations or problems of the
run; 2 usage, configuration or input that cannot be read; 3 a fault, a case
without a verdict; 130 interrupted, the report has the finished cases.

The effect of an input is what users of the API would notice: none (both
sides accept the object, or both refuse it), admits (only the schema accepts it)
or refuses (only the schema refuses it). The class of a difference is about one
error: too-loose is an error that the schema lacks, not an object that it accepts,
because another error may still refuse the object.

--fail-on narrows which effects and differences give 1. A fault always gives 3. A
problem of the run (a validator that never reported an error, a stale or expired
exception, a schema that does not compile) always gives 1: such a run proves nothing.`,
		RunE: func(command *cobra.Command, args []string) error {
			err := options.Parse()
			files := options.Files(p.Console)
			if err := errors.Join(err, files.Check()); err != nil {
				return terminal.Usage(err)
			}
			heap.Limit(heap.Small)
			return run.Run(command.Context(), &p.Environment, args, &options, files)
		},
	}
	options.AddFlags(command.Flags())
	p.markerFlags(command.Flags())
	return command
}
