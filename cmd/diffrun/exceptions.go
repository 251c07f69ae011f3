package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/infile"
	"github.com/diffrun/diffrun/internal/outfile"
	"github.com/diffrun/diffrun/reports"
)

// addFlags are the flags of "diffrun exceptions add".
type addFlags struct {
	from, file                 string
	why, owner, issue, expires string
	classes                    []string
}

func (p *program) exceptionsCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "exceptions",
		Short: "Accept differences that were looked at",
		Args:  subcommand("add"),
		RunE:  func(command *cobra.Command, _ []string) error { return command.Help() },
	}
	command.AddCommand(p.exceptionsAddCommand())
	return command
}

func (p *program) exceptionsAddCommand() *cobra.Command {
	var flags addFlags
	command := &cobra.Command{
		Use:   "add --from REPORT --why TEXT --owner NAME --issue URL --expires DAY CASE...",
		Short: "Write exceptions for the unexplained differences of cases in a run",
		Long: `Write exceptions for the unexplained differences of cases in a run.

The run is a report (-o json or -o jsonl; - is stdin), a CASE its id there. Entries
are as narrow as the differences: class, field at any index, both types and texts,
and maxHits. They go between the others where these are sorted by id, at the end
where they are not; nothing else in the file changes. No run writes there by itself.

  diffrun run -o json=report.json SUITE
  diffrun exceptions add --from report.json --why 'a controller checks it' \
    --owner sig-apps --issue https://example.com/1 --expires 2027-06-30 'cases.yaml#below zero'`,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := flags.check(args); err != nil {
				return usageError{err}
			}
			return p.addExceptions(flags, args)
		},
	}
	set := command.Flags()
	set.StringVar(&flags.from, "from", "", "report of the run that found the differences; - is stdin")
	set.StringVar(&flags.file, "file", "exceptions.yaml", "file of exceptions to write to; created if it does not exist")
	set.StringVar(&flags.why, "why", "", "why the difference is acceptable")
	set.StringVar(&flags.owner, "owner", "", "the team or person responsible for it")
	set.StringVar(&flags.issue, "issue", "", "URL where it is discussed")
	set.StringVar(&flags.expires, "expires", "", "last day on which it is accepted, for instance 2027-06-30")
	set.StringSliceVar(&flags.classes, "class", nil, "only differences of these classes")
	return command
}

// check says all that is missing at once.
func (f addFlags) check(args []string) error {
	var errs []error
	for _, flag := range []struct{ name, value, hint string }{
		{"from", f.from, "the report of a run"}, {"why", f.why, "the reason"}, {"owner", f.owner, "the team or person responsible for it"},
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
	if len(args) == 0 {
		errs = append(errs, errors.New("name the cases, by their ids in the report"))
	}
	return errors.Join(errs...)
}

func (p *program) addExceptions(flags addFlags, ids []string) error {
	recorded, err := p.recorded(flags.from)
	if err != nil {
		return err
	}
	var found []equivalence.Found
	for _, id := range ids {
		differences, err := differencesOf(recorded, id, flags.classes)
		if err != nil {
			return fmt.Errorf("--from %s: %w", flags.from, err)
		}
		found = append(found, differences...)
	}
	data, isNew, err := readExceptions(flags.file)
	if err != nil {
		return err
	}
	review := equivalence.Review{Why: flags.why, Owner: flags.owner, Issue: flags.issue, Expires: flags.expires}
	content, added, err := equivalence.AddExceptions(flags.file, data, found, review, p.now())
	if err != nil {
		return err
	}
	if err := outfile.Write(flags.file, content); err != nil {
		return fmt.Errorf("--file %s cannot be written: %w", flags.file, infile.Cause(err))
	}
	out := p.stdout.printer()
	for _, id := range added {
		out.Printf("%s: added %s\n", flags.file, id)
	}
	if isNew {
		out.Printf("%s was created; name it in a suite under \"exceptions\"\n", flags.file)
	}
	return out.Flush()
}

// readExceptions reads the file that exceptions are added to, if there is one.
func readExceptions(file string) (data []byte, isNew bool, err error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, true, nil
	case err == nil && !info.IsDir() && !info.Mode().IsRegular():
		return nil, false, fmt.Errorf("--file %s is a %s; exceptions are added to a file", file, infile.Kind(info.Mode()))
	case err == nil:
		data, err = infile.ReadFile(file)
	}
	if err != nil {
		return nil, false, fmt.Errorf("--file %s cannot be read: %w", file, infile.Cause(err))
	}
	return data, false, nil
}

// differencesOf gives the unexplained differences of a case. None is an error:
// whoever names a case expects something to be written.
func differencesOf(recorded []reports.Recorded, id string, classes []string) ([]equivalence.Found, error) {
	var found []equivalence.Found
	var accepted []string
	known := false
	for _, result := range recorded {
		if result.Case != id {
			continue
		}
		known = true
		subject := equivalence.Subject{GroupVersionKind: result.Version, Operation: result.Operation, Subresource: result.Subresource}
		for _, d := range result.Differences {
			if d.Exception != "" && !slices.Contains(accepted, d.Exception) {
				accepted = append(accepted, d.Exception)
			}
			if !d.Explained() && (len(classes) == 0 || slices.Contains(classes, string(d.Class))) {
				found = append(found, equivalence.Found{
					Subject: subject, Class: d.Class, Native: d.Native, Declarative: d.Declarative,
					NativeCount: d.NativeCount, DeclarativeCount: d.DeclarativeCount,
				})
			}
		}
	}
	switch {
	case !known:
		return nil, fmt.Errorf("the report has no case %q", id)
	case len(found) == 0 && len(accepted) > 0:
		return nil, fmt.Errorf("case %q has no unexplained difference of the wanted classes; exceptions accept what differs: %s. Where one accepts more than its maxHits, look at what is new and raise that in the file", id, strings.Join(accepted, ", "))
	case len(found) == 0:
		return nil, fmt.Errorf("case %q has no unexplained difference of the wanted classes", id)
	}
	return found, nil
}
