package main

import (
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/recorded"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// listFlags are the flags of "diffrun exceptions list".
type listFlags struct {
	from     []string
	expiring int
}

func (p *program) exceptionsListCommand() *cobra.Command {
	var flags listFlags
	command := &cobra.Command{
		Use:   "list [FILE...]",
		Short: "List the exceptions of files, with the days that are left",
		Long: `List the exceptions of files, with the days that are left. FILE defaults to exceptions.yaml.
With --from, also how many differences of a run each accepted. With --expiring, only
those that expire within this many days, and those that have expired.`,
		RunE: func(command *cobra.Command, args []string) error {
			if flags.expiring < 0 {
				return terminal.Usagef("--expiring %d: must be a number of days", flags.expiring)
			}
			if !command.Flags().Changed("expiring") {
				flags.expiring = -1
			}
			if len(args) == 0 {
				args = []string{exceptionsFile}
			}
			return p.listExceptions(flags, args)
		},
	}
	recorded.Flag(command.Flags(), &flags.from, "count what the exceptions accepted in this report of a run")
	command.Flags().IntVar(&flags.expiring, "expiring", 0, "only exceptions that expire within this many days, or have expired")
	return command
}

func (p *program) listExceptions(flags listFlags, files []string) error {
	run, err := recorded.ReadAll(p.Console, flags.from)
	if err != nil {
		return err
	}
	recorded.WarnPartial(p.Console, run)
	table := tabwriter.NewWriter(p.Stdout.Guarded, 0, 0, 2, ' ', 0)
	out := plaintext.NewPrinter(table)
	if len(flags.from) > 0 {
		out.Printf("hits\t")
	}
	out.Printf("exception\tclass\ttarget\tfield\tmaxHits\texpires\tleft\towner\twhere\n")
	for _, file := range files {
		_, exceptions, err := p.loadExceptions("", file)
		if err != nil {
			return err
		}
		used := usesOf(exceptions, run)
		for _, exception := range exceptions.All() {
			if left := exception.DaysLeft(p.Now()); flags.expiring >= 0 && left > flags.expiring {
				continue
			}
			if len(flags.from) > 0 {
				out.Printf("%d\t", used[exception].accepted)
			}
			p.listException(out, exception)
		}
	}
	return errors.Join(out.Flush(), table.Flush())
}

// listException prints the line of an exception.
func (p *program) listException(out *plaintext.Printer, exception *equivalence.Exception) {
	limit := "any"
	if exception.MaxHits > 0 {
		limit = fmt.Sprint(exception.MaxHits)
	}
	left := "expired"
	if !exception.Expired {
		left = fmt.Sprintf("%d days", exception.DaysLeft(p.Now()))
	}
	cell := func(text string) string { return plaintext.Cut(text, plaintext.MaxCell) }
	out.Printf("%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", cell(exception.ID), string(exception.Class), cell(exception.Target()),
		cell(exception.Field()),
		limit, exception.Expires.Format(time.DateOnly), left, cell(exception.Owner), cell(exception.Position.String()))
}
