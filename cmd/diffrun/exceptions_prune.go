package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/recorded"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/findings/exceptionfile"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports"
)

func (p *program) exceptionsPruneCommand() *cobra.Command {
	return p.editByUseCommand(&cobra.Command{
		Use:   "prune --from REPORT",
		Short: "Remove exceptions that a run did not need",
		Long: `Remove exceptions that accepted nothing in a run. The run must be a full one:
without --run, --compare and the like, and not interrupted. Exceptions about kinds
and versions that the run did not have stay, and so do expired ones whose
differences still exist; renew them or fix the differences. Comments stay.`,
	}, func(exception *equivalence.Exception, of use) (edit exceptionfile.Edit, text string) {
		switch {
		case of.accepted > 0:
			return edit, ""
		case of.open > 0:
			return edit, fmt.Sprintf("kept %s: the run found %s that it is about and does not accept", exception.ID,
				plaintext.Count(of.open, "difference"))
		case !of.inScope:
			return edit, fmt.Sprintf("kept %s: the run had no input of %s", exception.ID, exception.Target())
		}
		return exceptionfile.Edit{Remove: true}, "removed " + exception.ID
	})
}

func (p *program) exceptionsTightenCommand() *cobra.Command {
	return p.editByUseCommand(&cobra.Command{
		Use:   "tighten --from REPORT",
		Short: "Lower maxHits of exceptions to what a run needed",
		Long: `Lower maxHits of exceptions to what a run needed, and add it where it is missing.
The run must be a full one: without --run, --compare and the like, and not
interrupted. Exceptions that it did not use stay as they are; prune removes them.
The file is changed in place: comments and everything else stay.`,
	}, func(exception *equivalence.Exception, of use) (edit exceptionfile.Edit, text string) {
		if of.accepted == 0 || exception.MaxHits > 0 && exception.MaxHits <= of.accepted {
			return edit, ""
		}
		was := "no limit"
		if exception.MaxHits > 0 {
			was = fmt.Sprint(exception.MaxHits)
		}
		return exceptionfile.Edit{MaxHits: of.accepted}, fmt.Sprintf("maxHits of %s is %d (was %s)", exception.ID, of.accepted, was)
	})
}

// use is how a run used an exception.
type use struct {
	// accepted counts the differences that it accepted; open counts those that it is about and that
	// nothing accepted, because it had expired or did not exist yet.
	accepted, open int
	// inScope is true if the run had inputs that the exception may be about.
	inScope bool
}

// usesOf returns how a run used exceptions. Exceptions in other files may have the same ids, so a
// difference must also be one that the exception is about.
func usesOf(exceptions *equivalence.Exceptions, run reports.Run) map[*equivalence.Exception]use {
	uses := map[*equivalence.Exception]use{}
	for _, result := range run.Results {
		found, acceptedBy := foundIn(result)
		for _, exception := range exceptions.All() {
			of := uses[exception]
			of.inScope = of.inScope || exception.AppliesTo(result.Version)
			for i, difference := range found {
				switch {
				case acceptedBy[i] == exception.ID && difference.IsOf(exception):
					of.accepted++
				case acceptedBy[i] == "" && difference.IsOf(exception):
					of.open++
				}
			}
			uses[exception] = of
		}
	}
	return uses
}

// editByUseCommand completes a command that changes each exception of a file by its use in a run.
func (p *program) editByUseCommand(command *cobra.Command,
	decide func(*equivalence.Exception, use) (edit exceptionfile.Edit, text string)) *cobra.Command {
	var from []string
	var file string
	recorded.Flag(command.Flags(), &from, "report of a full run")
	command.Flags().StringVar(&file, "file", exceptionsFile, "file of exceptions to change")
	command.Args = cobra.NoArgs
	command.RunE = func(command *cobra.Command, _ []string) error {
		return p.editByUse(command.Context(), file, from, decide)
	}
	return command
}

func (p *program) editByUse(ctx context.Context, file string, from []string,
	decide func(*equivalence.Exception, use) (edit exceptionfile.Edit, text string)) error {
	if len(from) == 0 {
		return terminal.Usagef("--from is missing: the report of a full run")
	}
	if err := p.checkEdited(file, from); err != nil {
		return terminal.Usage(err)
	}
	run, err := recorded.ReadAll(p.Console, from)
	if err != nil {
		return err
	}
	return p.editExceptions(ctx, file, func(exceptions *equivalence.Exceptions) (edits []exceptionfile.Edit, texts []string, err error) {
		uses := usesOf(exceptions, run)
		if err := checkFullRun(run, uses, strings.Join(from, ", "), file); err != nil {
			return nil, nil, err
		}
		for _, exception := range exceptions.All() {
			edit, text := decide(exception, uses[exception])
			if edit != (exceptionfile.Edit{}) {
				edit.ID = exception.ID
				edits = append(edits, edit)
			}
			if text != "" {
				texts = append(texts, text)
			}
		}
		return edits, texts, nil
	})
}

// checkFullRun refuses a run that does not show which exceptions are needed.
func checkFullRun(run reports.Run, uses map[*equivalence.Exception]use, from, file string) error {
	switch {
	case run.Incomplete:
		return fmt.Errorf("--from %s: the run ended early, so it does not show which exceptions are needed; run again to the end", from)
	case len(run.Narrowed) > 0:
		return fmt.Errorf("--from %s: the run left out cases, errors or explanations: %s. It does not show which exceptions "+
			"are needed; run all", from, strings.Join(run.Narrowed, "; "))
	}
	for _, of := range uses {
		if of.accepted+of.open > 0 {
			return nil
		}
	}
	return fmt.Errorf("--from %s: the run used no exception of %s; is it the run of a suite that names this file?", from, file)
}
