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
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/findings/exceptionfile"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports"
)

// addFlags are the flags of "diffrun exceptions add".
type addFlags struct {
	from                       []string
	file                       string
	why, owner, issue, expires string
	classes                    []string
	all                        bool
}

func (p *program) exceptionsAddCommand() *cobra.Command {
	var flags addFlags
	command := &cobra.Command{
		Use:   "add --from REPORT --why TEXT --owner NAME --issue URL --expires DAY CASE...|--all",
		Short: "Write exceptions for the unexplained differences of cases in a run",
		Long: `Write exceptions for the unexplained differences of cases in a run.

The run is a report (-o json or -o jsonl; - is stdin), a CASE its id there; --all
takes all cases. REPORT may be a directory of reports, as go test writes them
(DIFFRUN_REPORT), and --from may be repeated.

An entry is for a cause, not for a case: differences of one kind, class and field
whose texts differ only in indices, quoted values and numbers share one. It is as
narrow as they are: field at any index, both types and texts, and maxHits. Entries
go between the others where these are sorted by id, at the end where they are not;
nothing else in the file changes. No run writes there by itself.

--all leaves out differences of class unstable, which may not be found again.

  diffrun run -o json=report.json SUITE
  diffrun exceptions add --all --from report.json --why 'as it is today' \
    --owner sig-apps --issue https://example.com/1 --expires 2027-06-30
  diffrun exceptions add --from report.json --why 'a controller checks it' \
    --owner sig-apps --issue https://example.com/1 --expires 2027-06-30 'cases.yaml#below zero'`,
		RunE: func(command *cobra.Command, args []string) error {
			if err := errors.Join(flags.check(args), p.checkEdited(flags.file, flags.from)); err != nil {
				return terminal.Usage(err)
			}
			return p.addExceptions(command.Context(), flags, args)
		},
	}
	set := command.Flags()
	recorded.Flag(set, &flags.from, "report of the run that found the differences")
	set.StringVar(&flags.file, "file", exceptionsFile, "file of exceptions to write to; it is made when there is none")
	set.StringVar(&flags.why, "why", "", "why the difference is acceptable")
	set.StringVar(&flags.owner, "owner", "", "who answers for it")
	set.StringVar(&flags.issue, "issue", "", "URL where it is discussed")
	set.StringVar(&flags.expires, "expires", "", "last day on which it is accepted, such as 2027-06-30")
	set.StringSliceVar(&flags.classes, "class", nil, "only differences of these classes")
	set.BoolVar(&flags.all, "all", false, "accept the unexplained differences of all cases in the report")
	return command
}

// check says all that is missing at once.
func (f addFlags) check(args []string) error {
	var errs []error
	for _, flag := range []struct{ name, value, hint string }{
		{"from", strings.Join(f.from, ""), "the report of a run"}, {"why", f.why, "the reason"}, {"owner", f.owner, "who answers for it"},
		{"issue", f.issue, "a URL"}, {"expires", f.expires, "a day, such as 2027-06-30"},
	} {
		if strings.TrimSpace(flag.value) == "" {
			errs = append(errs, fmt.Errorf("--%s is missing: %s", flag.name, flag.hint))
		}
	}
	for _, class := range f.classes {
		_, err := equivalence.ParseClass(class)
		errs = append(errs, err)
	}
	switch {
	case f.all && len(args) > 0:
		errs = append(errs, errors.New("--all takes every case of the report; name cases, or give --all"))
	case !f.all && len(args) == 0:
		errs = append(errs, errors.New("name the cases, by their ids in the report, or give --all"))
	}
	return errors.Join(errs...)
}

// wants says whether differences of a class are to be accepted. One that may not be found
// again must be asked for.
func (f addFlags) wants(class equivalence.Class) bool {
	if len(f.classes) == 0 {
		return !f.all || class != equivalence.Unstable
	}
	return slices.Contains(f.classes, string(class))
}

func (p *program) addExceptions(ctx context.Context, flags addFlags, ids []string) error {
	run, err := recorded.ReadAll(p.Console, flags.from)
	if err != nil {
		return err
	}
	found, err := flags.found(run, ids)
	if err != nil {
		return fmt.Errorf("--from %s: %w", strings.Join(flags.from, ", "), err)
	}
	if _, _, err := readExceptions(fileFlag, flags.file); err != nil {
		return err
	}
	out := p.Stdout.Printer()
	if flags.all {
		p.warnOfUndecided(run)
		if len(found) == 0 {
			out.Printf("the report has no unexplained difference; nothing was added\n")
			return out.Flush()
		}
	}
	added, isNew, err := p.writeAdded(ctx, flags, found)
	if err != nil {
		return err
	}
	for _, id := range added {
		out.Printf("%s: added %s\n", flags.file, id)
	}
	if flags.all {
		verb := "are"
		if len(found) == 1 {
			verb = "is"
		}
		out.Printf("%s %s accepted by %s\n", plaintext.Count(len(found), "difference"), verb, plaintext.Count(len(added), "new exception"))
	}
	if isNew {
		out.Printf("%s was created; name it in a suite under \"exceptions\"\n", flags.file)
	}
	return out.Flush()
}

// writeAdded adds exceptions to a file that nobody else changes meanwhile, and gives their ids.
func (p *program) writeAdded(ctx context.Context, flags addFlags, found []exceptionfile.Difference) (added []string, isNew bool, err error) {
	lock, err := terminal.Lock(ctx, fileFlag, flags.file)
	if err != nil {
		return nil, false, err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	data, isNew, err := readExceptions(fileFlag, flags.file)
	if err != nil {
		return nil, false, err
	}
	review := exceptionfile.Review{Why: flags.why, Owner: flags.owner, Issue: flags.issue, Expires: flags.expires}
	content, added, err := exceptionfile.Add(flags.file, data, found, review, p.Now())
	if err != nil {
		return nil, false, err
	}
	return added, isNew, writeExceptions(flags.file, content)
}

// warnOfUndecided says what --all does not accept.
func (p *program) warnOfUndecided(run reports.Run) {
	faults, unstable := 0, 0
	for _, result := range run.Results {
		switch result.Verdict {
		case harness.Faulted:
			faults++
		case harness.Unstable:
			unstable++
		}
	}
	if faults > 0 {
		p.Warn("diffrun: warning: inputs of the report without a verdict: %d; a fault cannot be accepted\n", faults)
	}
	if unstable > 0 {
		p.Warn("diffrun: warning: unstable inputs of the report: %d; their differences may not be found again, --class unstable accepts them\n", unstable)
	}
	recorded.WarnPartial(p.Console, run)
}

// found gives the differences that are to be accepted.
func (f addFlags) found(run reports.Run, ids []string) ([]exceptionfile.Difference, error) {
	var found []exceptionfile.Difference
	if f.all {
		for _, result := range run.Results {
			unexplained, _ := f.unexplained(result)
			found = append(found, unexplained...)
		}
		return found, nil
	}
	var errs []error
	for _, id := range ids {
		of, err := f.differencesOf(run.Results, id)
		errs = append(errs, err)
		found = append(found, of...)
	}
	return found, errors.Join(errs...)
}

// differing gives the ids of cases with unexplained differences that are wanted.
func (f addFlags) differing(results []harness.Result) []string {
	var ids []string
	for _, result := range results {
		if found, _ := f.unexplained(result); len(found) > 0 && !slices.Contains(ids, result.Case.ID) {
			ids = append(ids, result.Case.ID)
		}
	}
	return ids
}

// unexplained gives the unexplained differences of a result that are wanted, and the
// exceptions that accept others.
func (f addFlags) unexplained(result harness.Result) (found []exceptionfile.Difference, accepted []string) {
	all, acceptedBy := foundIn(result)
	for i, difference := range all {
		switch {
		case acceptedBy[i] != "":
			accepted = append(accepted, acceptedBy[i])
		case f.wants(difference.Class):
			found = append(found, difference)
		}
	}
	return found, accepted
}

// differencesOf gives the unexplained differences of a case. None is an error:
// whoever names a case expects something to be written.
func (f addFlags) differencesOf(recorded []harness.Result, id string) ([]exceptionfile.Difference, error) {
	var found []exceptionfile.Difference
	var accepted []string
	known := false
	for _, result := range recorded {
		if result.Case.ID != id {
			continue
		}
		known = true
		of, by := f.unexplained(result)
		found = append(found, of...)
		for _, exception := range by {
			if !slices.Contains(accepted, exception) {
				accepted = append(accepted, exception)
			}
		}
	}
	switch {
	case !known:
		if differing := f.differing(recorded); len(differing) > 0 {
			return nil, fmt.Errorf("the report has no case %q; cases that differ: %s", id, run.ListIDs(differing))
		}
		return nil, fmt.Errorf("the report has no case %q, and no unexplained difference of the wanted classes", id)
	case len(found) == 0 && len(accepted) > 0:
		return nil, fmt.Errorf("case %q has no unexplained difference of the wanted classes; exceptions accept what differs: %s. Where one accepts more than its maxHits, look at what is new and raise that in the file", id, strings.Join(accepted, ", "))
	case len(found) == 0:
		return nil, fmt.Errorf("case %q has no unexplained difference of the wanted classes", id)
	}
	return found, nil
}
