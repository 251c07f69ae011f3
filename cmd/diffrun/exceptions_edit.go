package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/recorded"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/files/waiver"
	"github.com/diffrun/diffrun/internal/findings/exceptionfile"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports"
)

// use is what a run had to do with an exception.
type use struct {
	// accepted counts the differences that it accepted, open those that it is about and
	// that nothing accepted: it expired, or was not yet there.
	accepted, open int
	// inScope says that the run had inputs that the exception may be about.
	inScope bool
}

// usesOf counts what a run had to do with exceptions. Exceptions of other files may have
// the same ids, so a difference must also be one that the exception is about.
func usesOf(exceptions *equivalence.Exceptions, run reports.Run) map[*equivalence.Exception]use {
	uses := map[*equivalence.Exception]use{}
	for _, result := range run.Results {
		found, acceptedBy := foundIn(result)
		for _, exception := range exceptions.All() {
			of := uses[exception]
			of.inScope = of.inScope || exception.Concerns(result.Version)
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

// editFlags are the flags of the commands that change exceptions by what a run used.
type editFlags struct {
	from []string
	file string
}

func (f *editFlags) add(command *cobra.Command) {
	recorded.Flag(command.Flags(), &f.from, "report of a full run")
	command.Flags().StringVar(&f.file, "file", exceptionsFile, "file of exceptions to change")
}

func (p *program) exceptionsTightenCommand() *cobra.Command {
	var flags editFlags
	command := &cobra.Command{
		Use:   "tighten --from REPORT",
		Short: "Lower maxHits of exceptions to what a run needed",
		Long: `Lower maxHits of exceptions to what a run needed, and give one to those without.
The run must be a full one: without --run, --compare and the like, and not
interrupted. Exceptions that it did not use stay as they are; prune removes them.
The file is changed in place: comments and everything else stay.`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			return p.editByUse(command.Context(), flags, func(exception *equivalence.Exception, of use) (exceptionfile.Edit, string) {
				if of.accepted == 0 || exception.MaxHits > 0 && exception.MaxHits <= of.accepted {
					return exceptionfile.Edit{}, ""
				}
				was := "no limit"
				if exception.MaxHits > 0 {
					was = fmt.Sprint(exception.MaxHits)
				}
				return exceptionfile.Edit{MaxHits: of.accepted}, fmt.Sprintf("maxHits of %s is %d (was %s)", exception.ID, of.accepted, was)
			})
		},
	}
	flags.add(command)
	return command
}

func (p *program) exceptionsPruneCommand() *cobra.Command {
	var flags editFlags
	command := &cobra.Command{
		Use:   "prune --from REPORT",
		Short: "Remove exceptions that a run did not need",
		Long: `Remove exceptions that accepted nothing in a run. The run must be a full one:
without --run, --compare and the like, and not interrupted. Exceptions about kinds
and versions that the run did not have stay, and so do expired ones whose
differences are still there; renew them or mend what differs. Comments stay.`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			return p.editByUse(command.Context(), flags, func(exception *equivalence.Exception, of use) (exceptionfile.Edit, string) {
				switch {
				case of.accepted > 0:
					return exceptionfile.Edit{}, ""
				case of.open > 0:
					return exceptionfile.Edit{}, fmt.Sprintf("kept %s: the run found %s that it is about and does not accept", exception.ID, plaintext.Count(of.open, "difference"))
				case !of.inScope:
					return exceptionfile.Edit{}, fmt.Sprintf("kept %s: the run had no input of %s", exception.ID, exception.Target())
				}
				return exceptionfile.Edit{Remove: true}, "removed " + exception.ID
			})
		},
	}
	flags.add(command)
	return command
}

// editByUse changes each exception of a file as a command decides by its use in a run, and
// says what was done.
func (p *program) editByUse(ctx context.Context, flags editFlags, decide func(*equivalence.Exception, use) (exceptionfile.Edit, string)) error {
	if len(flags.from) == 0 {
		return terminal.Usagef("--from is missing: the report of a full run")
	}
	if err := p.checkEdited(flags.file, flags.from); err != nil {
		return terminal.Usage(err)
	}
	run, err := recorded.ReadAll(p.Console, flags.from)
	if err != nil {
		return err
	}
	return p.editExceptions(ctx, flags.file, func(exceptions *equivalence.Exceptions) (edits []exceptionfile.Edit, said []string, err error) {
		uses := usesOf(exceptions, run)
		if err := usable(flags, run, uses); err != nil {
			return nil, nil, err
		}
		for _, exception := range exceptions.All() {
			edit, text := decide(exception, uses[exception])
			if edit != (exceptionfile.Edit{}) {
				edit.ID = exception.ID
				edits = append(edits, edit)
			}
			if text != "" {
				said = append(said, text)
			}
		}
		return edits, said, nil
	})
}

// usable says why a report does not show what exceptions are needed for.
func usable(flags editFlags, run reports.Run, uses map[*equivalence.Exception]use) error {
	from := strings.Join(flags.from, ", ")
	switch {
	case run.Incomplete:
		return fmt.Errorf("--from %s: the run ended early, so it does not show which exceptions are needed; run again to the end", from)
	case len(run.Narrowed) > 0:
		return fmt.Errorf("--from %s: the run left out cases, errors or explanations: %s. It does not show which exceptions are needed; run all", from, strings.Join(run.Narrowed, "; "))
	}
	for _, of := range uses {
		if of.accepted+of.open > 0 {
			return nil
		}
	}
	return fmt.Errorf("--from %s: the run used no exception of %s; is it the run of a suite that names this file?", from, flags.file)
}

// editExceptions changes a file of exceptions that nobody else changes meanwhile, and says what was done.
func (p *program) editExceptions(ctx context.Context, file string, decide func(*equivalence.Exceptions) ([]exceptionfile.Edit, []string, error)) (err error) {
	if err := terminal.CheckLockable(fileFlag, file); err != nil {
		return err
	}
	if _, _, err := p.loadExceptions(fileFlag, file); err != nil {
		return err
	}
	lock, err := terminal.Lock(ctx, fileFlag, file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	data, exceptions, err := p.loadExceptions(fileFlag, file)
	if err != nil {
		return err
	}
	edits, said, err := decide(exceptions)
	if err != nil {
		return err
	}
	if len(edits) > 0 {
		content, err := exceptionfile.Apply(file, data, edits, p.Now())
		if err != nil {
			return err
		}
		if err := writeExceptions(file, content); err != nil {
			return err
		}
	}
	out := p.Stdout.Printer()
	for _, text := range said {
		out.Printf("%s: %s\n", file, text)
	}
	if len(edits) == 0 {
		out.Printf("%s: nothing to change\n", file)
	}
	return out.Flush()
}

// renewFlags are the flags of "diffrun exceptions renew".
type renewFlags struct {
	file, expires string
	expiring      int
}

func (p *program) exceptionsRenewCommand() *cobra.Command {
	var flags renewFlags
	command := &cobra.Command{
		Use:   "renew --expires DAY ID...|--expiring DAYS",
		Short: "Give exceptions another last day",
		Long: `Give exceptions another last day: those that are named, or with --expiring all that
lapse within so many days or have expired. The file is changed in place: comments and
everything else stay. Look at each before: does its reason still hold?`,
		RunE: func(command *cobra.Command, args []string) error {
			byDays := command.Flags().Changed("expiring")
			if err := flags.check(p, args, byDays); err != nil {
				return terminal.Usage(err)
			}
			return p.renewExceptions(command.Context(), flags, args)
		},
	}
	set := command.Flags()
	set.StringVar(&flags.file, "file", exceptionsFile, "file of exceptions to change")
	set.StringVar(&flags.expires, "expires", "", "new last day, such as 2027-06-30")
	set.IntVar(&flags.expiring, "expiring", 0, "all exceptions that lapse within so many days, or have expired")
	return command
}

// check says all that is wrong with the flags at once.
func (f renewFlags) check(p *program, ids []string, byDays bool) error {
	var errs []error
	if f.expires == "" {
		errs = append(errs, errors.New("--expires is missing: a day, such as 2027-06-30"))
	} else if err := waiver.CheckExpires(f.expires, p.Now()); err != nil {
		errs = append(errs, fmt.Errorf("--expires: %w", err))
	}
	switch {
	case byDays && f.expiring < 0:
		errs = append(errs, fmt.Errorf("--expiring %d: give a number of days", f.expiring))
	case byDays && len(ids) > 0:
		errs = append(errs, errors.New("name exceptions, or give --expiring, not both"))
	case !byDays && len(ids) == 0:
		errs = append(errs, errors.New("name the exceptions by their ids, or give --expiring DAYS"))
	}
	return errors.Join(errs...)
}

func (p *program) renewExceptions(ctx context.Context, flags renewFlags, ids []string) error {
	return p.editExceptions(ctx, flags.file, func(exceptions *equivalence.Exceptions) (edits []exceptionfile.Edit, said []string, err error) {
		for _, exception := range exceptions.All() {
			named := slices.Contains(ids, exception.ID)
			if !named && (len(ids) > 0 || exception.DaysLeft(p.Now()) > flags.expiring) {
				continue
			}
			was := exception.Expires.Format("2006-01-02")
			if was >= flags.expires {
				said = append(said, fmt.Sprintf("kept %s: it holds until %s", exception.ID, was))
				continue
			}
			edits = append(edits, exceptionfile.Edit{ID: exception.ID, Expires: flags.expires})
			said = append(said, fmt.Sprintf("%s expires on %s (was %s)", exception.ID, flags.expires, was))
		}
		return edits, said, hasAll(flags.file, exceptions.All(), ids)
	})
}

// hasAll says which ids a file of exceptions does not have.
func hasAll(file string, exceptions []*equivalence.Exception, ids []string) error {
	known := make([]string, len(exceptions))
	for i, exception := range exceptions {
		known[i] = exception.ID
	}
	var errs []error
	for _, id := range ids {
		if !slices.Contains(known, id) {
			errs = append(errs, fmt.Errorf("--file %s has no exception %q; it has %s", file, id, run.ListIDs(known)))
		}
	}
	return errors.Join(errs...)
}
