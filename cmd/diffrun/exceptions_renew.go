package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/files/waiver"
	"github.com/diffrun/diffrun/internal/findings/exceptionfile"
)

// renewFlags are the flags of "diffrun exceptions renew".
type renewFlags struct {
	file, expires string
	expiring      int
}

func (p *program) exceptionsRenewCommand() *cobra.Command {
	var flags renewFlags
	command := &cobra.Command{
		Use:   "renew --expires DAY ID...|--expiring DAYS",
		Short: "Set a new last day for exceptions",
		Long: `Set a new last day for exceptions: the named ones, or with --expiring all that
expire within this many days or have expired. The file is changed in place: comments and
everything else stay. Review each first: does its reason still hold?`,
		RunE: func(command *cobra.Command, args []string) error {
			byDays := command.Flags().Changed("expiring")
			if err := flags.check(p.Now(), args, byDays); err != nil {
				return terminal.Usage(err)
			}
			return p.renewExceptions(command.Context(), flags, args)
		},
	}
	set := command.Flags()
	set.StringVar(&flags.file, "file", exceptionsFile, "file of exceptions to change")
	set.StringVar(&flags.expires, "expires", "", "new last day, such as 2027-06-30")
	set.IntVar(&flags.expiring, "expiring", 0, "all exceptions that expire within this many days, or have expired")
	return command
}

// check returns all mistakes in the flags.
func (f renewFlags) check(now time.Time, ids []string, byDays bool) error {
	var errs []error
	if f.expires == "" {
		errs = append(errs, errors.New("--expires is missing: a day, such as 2027-06-30"))
	} else if err := waiver.CheckExpires(f.expires, now); err != nil {
		errs = append(errs, fmt.Errorf("--expires: %w", err))
	}
	switch {
	case byDays && f.expiring < 0:
		errs = append(errs, fmt.Errorf("--expiring %d: must be a number of days", f.expiring))
	case byDays && len(ids) > 0:
		errs = append(errs, errors.New("name exceptions or use --expiring, not both"))
	case !byDays && len(ids) == 0:
		errs = append(errs, errors.New("name the exceptions by their ids, or use --expiring DAYS"))
	}
	return errors.Join(errs...)
}

func (p *program) renewExceptions(ctx context.Context, flags renewFlags, ids []string) error {
	return p.editExceptions(ctx, flags.file,
		func(exceptions *equivalence.Exceptions) (edits []exceptionfile.Edit, texts []string, err error) {
			var known []string
			for _, exception := range exceptions.All() {
				known = append(known, exception.ID)
				if len(ids) > 0 && !slices.Contains(ids, exception.ID) || len(ids) == 0 && exception.DaysLeft(p.Now()) > flags.expiring {
					continue
				}
				was := exception.Expires.Format(time.DateOnly)
				if was >= flags.expires {
					texts = append(texts, fmt.Sprintf("kept %s: it holds until %s", exception.ID, was))
					continue
				}
				edits = append(edits, exceptionfile.Edit{ID: exception.ID, Expires: flags.expires})
				texts = append(texts, fmt.Sprintf("%s expires on %s (was %s)", exception.ID, flags.expires, was))
			}
			var errs []error
			for _, id := range ids {
				if !slices.Contains(known, id) {
					errs = append(errs, fmt.Errorf("--file %s has no exception %q; it has %s", flags.file, id, run.ListIDs(known)))
				}
			}
			return edits, texts, errors.Join(errs...)
		})
}
