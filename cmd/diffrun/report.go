package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
)

func (p *program) reportCommand() *cobra.Command {
	var options run.OutputOptions
	command := &cobra.Command{
		Use:   "report RUN",
		Short: "Write a recorded run in other formats",
		Long: `Write a recorded run in other formats.

RUN is a report that diffrun wrote with -o json or -o jsonl; - is stdin. Nothing is
validated or judged again: the exit status is 0 if the report was written. Reports
contain no objects and no stacks of panics, so the new report has none.

  diffrun run -o jsonl=run.jsonl
  diffrun report run.jsonl -o markdown=summary.md -o junit=junit.xml`,
		RunE: func(command *cobra.Command, args []string) error {
			err := options.Parse()
			files := options.Files(p.Console)
			files.Input("report", args...)
			err = errors.Join(err, files.Check())
			if len(args) != 1 {
				err = errors.Join(err, errors.New("name one report of a run, or - for stdin"))
			}
			if err != nil {
				return terminal.Usage(err)
			}
			return run.Report(command.Context(), p.Console, args[0], &options)
		},
	}
	options.AddFlags(command.Flags())
	return command
}
