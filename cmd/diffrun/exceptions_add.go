package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/acceptance"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/recorded"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/internal/findings/exceptionfile"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports"
)

// addFlags are the flags of "diffrun exceptions add".
type addFlags struct {
	from    []string
	file    string
	review  exceptionfile.Review
	classes []string
	all     bool
}

func (p *program) exceptionsAddCommand() *cobra.Command {
	var flags addFlags
	command := &cobra.Command{
		Use:   "add --from REPORT --why TEXT --owner NAME --issue URL --expires DAY CASE...|--all",
		Short: "Write exceptions for the unexplained differences of cases in a run",
		Long: `Write exceptions for the unexplained differences of cases in a run.

The run is a report (-o json or -o jsonl; - is stdin), and a CASE is an id in it;
--all takes all cases. REPORT may be a directory of reports, as go test writes them
(DIFFRUN_REPORT), and --from may be repeated.

An entry is for a cause, not for a case: differences of one kind, class and field
whose texts differ only in indices, quoted values and numbers share one. It is as
narrow as they are: field at any index, both types and texts, and maxHits. Entries
are inserted in order if the file is sorted by id, and appended if it is not;
nothing else in the file changes. Runs never write to it.

--all leaves out differences of class unstable, because they may not occur again.

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
	set.StringVar(&flags.file, "file", exceptionsFile, "file of exceptions to write to; it is created if it does not exist")
	set.StringVar(&flags.review.Why, "why", "", "why the difference is acceptable")
	set.StringVar(&flags.review.Owner, "owner", "", "who is responsible for it")
	set.StringVar(&flags.review.Issue, "issue", "", "URL where it is discussed")
	set.StringVar(&flags.review.Expires, "expires", "", "last day on which it is accepted, such as 2027-06-30")
	set.StringSliceVar(&flags.classes, "class", nil, "only differences of these classes")
	terminal.AcceptWords(set, "class", texts(difference.Classes()))
	set.BoolVar(&flags.all, "all", false, "accept the unexplained differences of all cases in the report")
	return command
}

// check returns all mistakes in the flags.
func (f addFlags) check(args []string) error {
	var errs []error
	if len(f.from) == 0 {
		errs = append(errs, errors.New("--from is missing: the report of a run"))
	}
	errs = append(errs, acceptance.Check(f.review)...)
	for _, class := range f.classes {
		_, err := difference.ParseClass(class)
		errs = append(errs, err)
	}
	switch {
	case f.all && len(args) > 0:
		errs = append(errs, errors.New("--all takes every case of the report; name cases, or use --all"))
	case !f.all && len(args) == 0:
		errs = append(errs, errors.New("name the cases, by their ids in the report, or use --all"))
	}
	return errors.Join(errs...)
}

// accepts reports whether differences of a class are to be accepted. --all does not accept unstable
// ones, which may not be found again.
func (f addFlags) accepts(class difference.Class) bool {
	if len(f.classes) == 0 {
		return !f.all || class != difference.Unstable
	}
	return slices.Contains(f.classes, string(class))
}

func (p *program) addExceptions(ctx context.Context, flags addFlags, ids []string) error {
	report := acceptance.NewReport(flags.accepts)
	if err := recorded.PlayAll(p.Console, flags.from, report); err != nil {
		return err
	}
	chosen, err := report.Chosen(ids)
	if err != nil {
		return fmt.Errorf("--from %s: %w", strings.Join(flags.from, ", "), err)
	}
	var found []exceptionfile.Difference
	for _, cause := range chosen {
		found = append(found, cause.Differences...)
	}
	if _, _, err := readExceptions(fileFlag, flags.file); err != nil {
		return err
	}
	out := p.Stdout.Printer()
	if flags.all {
		p.warnOfNoVerdict(report)
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

// writeAdded adds exceptions to a file while no other command changes it, and returns their ids.
func (p *program) writeAdded(ctx context.Context, flags addFlags,
	found []exceptionfile.Difference) (added []string, isNew bool, err error) {
	lock, err := terminal.Lock(ctx, fileFlag, flags.file)
	if err != nil {
		return nil, false, err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	data, isNew, err := readExceptions(fileFlag, flags.file)
	if err != nil {
		return nil, false, err
	}
	content, added, err := exceptionfile.Add(flags.file, data, found, flags.review, p.Now())
	if err != nil {
		return nil, false, err
	}
	return added, isNew, writeExceptions(flags.file, content)
}

// warnOfNoVerdict warns of inputs that no exception accepts.
func (p *program) warnOfNoVerdict(report *acceptance.Report) {
	if report.Faults > 0 {
		p.Warn("diffrun: warning: inputs of the report without a verdict: %d; a fault cannot be accepted\n", report.Faults)
	}
	if report.Unstable > 0 {
		p.Warn("diffrun: warning: unstable inputs of the report: %d; their differences may not be found again, \"diffrun exceptions add "+
			"--class unstable\" accepts them\n", report.Unstable)
	}
	recorded.WarnPartial(p.Console, reports.Run{Incomplete: report.Incomplete, Narrowed: report.Narrowed})
}
