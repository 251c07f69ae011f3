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
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness/words"
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
	set.StringVar(&flags.why, "why", "", "why the difference is acceptable")
	set.StringVar(&flags.owner, "owner", "", "who is responsible for it")
	set.StringVar(&flags.issue, "issue", "", "URL where it is discussed")
	set.StringVar(&flags.expires, "expires", "", "last day on which it is accepted, such as 2027-06-30")
	set.StringSliceVar(&flags.classes, "class", nil, "only differences of these classes")
	terminal.AcceptWords(set, "class", texts(difference.Classes()))
	set.BoolVar(&flags.all, "all", false, "accept the unexplained differences of all cases in the report")
	return command
}

// check returns all mistakes in the flags.
func (f addFlags) check(args []string) error {
	var errs []error
	for _, flag := range []struct{ name, value, hint string }{
		{"from", strings.Join(f.from, ""), "the report of a run"}, {"why", f.why, "the reason"},
		{"owner", f.owner, "who is responsible for it"},
		{"issue", f.issue, "a URL"}, {"expires", f.expires, "a day, such as 2027-06-30"},
	} {
		if strings.TrimSpace(flag.value) == "" {
			errs = append(errs, fmt.Errorf("--%s is missing: %s", flag.name, flag.hint))
		}
	}
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
	report, err := recorded.ReadAll(p.Console, flags.from)
	if err != nil {
		return err
	}
	found, err := flags.find(report, ids)
	if err != nil {
		return fmt.Errorf("--from %s: %w", strings.Join(flags.from, ", "), err)
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
	review := exceptionfile.Review{Why: flags.why, Owner: flags.owner, Issue: flags.issue, Expires: flags.expires}
	content, added, err := exceptionfile.Add(flags.file, data, found, review, p.Now())
	if err != nil {
		return nil, false, err
	}
	return added, isNew, writeExceptions(flags.file, content)
}

// warnOfNoVerdict warns of inputs that --all does not accept.
func (p *program) warnOfNoVerdict(report reports.Run) {
	counts := map[words.Verdict]int{}
	for _, result := range report.Results {
		counts[result.Verdict]++
	}
	if n := counts[words.Faulted]; n > 0 {
		p.Warn("diffrun: warning: inputs of the report without a verdict: %d; a fault cannot be accepted\n", n)
	}
	if n := counts[words.Unstable]; n > 0 {
		p.Warn("diffrun: warning: unstable inputs of the report: %d; their differences may not be found again, --class unstable "+
			"accepts them\n", n)
	}
	recorded.WarnPartial(p.Console, report)
}

// caseDifferences are the differences of a case in a run.
type caseDifferences struct {
	// found are unexplained, and of the classes to accept.
	found []exceptionfile.Difference
	// acceptedBy are the exceptions that accept others.
	acceptedBy []string
}

// differencesByCase returns the differences of all cases by their ids, and the ids in their order.
func (f addFlags) differencesByCase(report reports.Run) (ids []string, byCase map[string]*caseDifferences) {
	byCase = map[string]*caseDifferences{}
	for _, result := range report.Results {
		id := result.Case.ID
		if byCase[id] == nil {
			byCase[id] = &caseDifferences{}
			ids = append(ids, id)
		}
		of := byCase[id]
		found, acceptedBy := foundIn(result)
		for i, each := range found {
			switch {
			case acceptedBy[i] == "" && f.accepts(each.Class):
				of.found = append(of.found, each)
			case acceptedBy[i] != "" && !slices.Contains(of.acceptedBy, acceptedBy[i]):
				of.acceptedBy = append(of.acceptedBy, acceptedBy[i])
			}
		}
	}
	return ids, byCase
}

// find returns the differences to accept: of all cases, or of those that are named. A named case must
// have one.
func (f addFlags) find(report reports.Run, named []string) (found []exceptionfile.Difference, err error) {
	ids, byCase := f.differencesByCase(report)
	if f.all {
		for _, id := range ids {
			found = append(found, byCase[id].found...)
		}
		return found, nil
	}
	var errs []error
	for _, id := range named {
		switch of := byCase[id]; {
		case of == nil:
			differing := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return len(byCase[id].found) == 0 })
			if len(differing) == 0 {
				errs = append(errs, fmt.Errorf("the report has no case %q, and no unexplained difference of the selected classes", id))
			} else {
				errs = append(errs, fmt.Errorf("the report has no case %q; cases that differ: %s", id, run.ListIDs(differing)))
			}
		case len(of.found) > 0:
			found = append(found, of.found...)
		case len(of.acceptedBy) > 0:
			errs = append(errs, fmt.Errorf("case %q has no unexplained difference of the selected classes; exceptions accept its "+
				"differences: %s. If one accepts more than its maxHits, review the new ones and raise maxHits in the file", id,
				strings.Join(of.acceptedBy, ", ")))
		default:
			errs = append(errs, fmt.Errorf("case %q has no unexplained difference of the selected classes", id))
		}
	}
	return found, errors.Join(errs...)
}
