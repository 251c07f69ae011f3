package main

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/acceptance"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/recorded"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/findings/exceptionfile"
)

// acceptFlags are the flags of "diffrun accept".
type acceptFlags struct {
	review  exceptionfile.Review
	file    string
	all     bool
	dryRun  bool
	answers bool // whether a person is asked
}

func (p *program) acceptCommand() *cobra.Command {
	var flags acceptFlags
	command := &cobra.Command{
		Use:   "accept REPORT [ID...]",
		Short: "Accept differences of a run: reviewed ones become exceptions of the suite",
		Long: `Accept differences of a run: reviewed ones become exceptions of the suite.

REPORT is a report of the run (-o json or -o jsonl), and an ID that of a case or of a
cause in it. On a terminal, without --why, each cause is shown with both errors and its
case, and asked about. Elsewhere, the flags say why, who, where and until when; name the
IDs, or use --all.

An exception is for a cause, and as narrow as its differences: class, field, both texts,
and maxHits. It goes into the file that the suite of the case names. If it names none, a
file is made beside the suite, and the key "exceptions" is added to the suite. Text that
was left as a placeholder, such as WHY or TODO, is refused.

Differences of class unstable and inputs without a verdict are left out.

  diffrun run -o json=report.json SUITE
  diffrun accept report.json
  diffrun accept report.json --why 'a controller checks it' --owner sig-apps \
    --issue https://example.com/1 --expires 2027-06-30 'cases.yaml#below zero'`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("the report is missing; write one with diffrun run -o json=report.json")
			}
			return nil
		},
		RunE: func(command *cobra.Command, args []string) error {
			flags.answers = flags.review == exceptionfile.Review{} && p.isInteractive()
			if err := errors.Join(flags.check(args[1:]), p.checkAccepted(flags.file, args[0])); err != nil {
				return terminal.Usage(err)
			}
			return p.accept(command.Context(), flags, args[0], args[1:])
		},
	}
	set := command.Flags()
	set.StringVar(&flags.review.Why, "why", "", "why the differences are acceptable")
	set.StringVar(&flags.review.Owner, "owner", "", "who is responsible for them")
	set.StringVar(&flags.review.Issue, "issue", "", "URL where they are discussed")
	set.StringVar(&flags.review.Expires, "expires", "", "last day on which they are accepted, such as 2027-06-30")
	set.StringVar(&flags.file, "file", "", "file of exceptions, in place of the one of the suite; it is created if it does not exist")
	set.BoolVar(&flags.all, "all", false, "accept all unexplained differences of the report")
	set.BoolVar(&flags.dryRun, "dry-run", false, "show what would be accepted, and write nothing")
	return command
}

// isInteractive reports whether a person can be asked.
func (p *program) isInteractive() bool {
	in, isFile := p.Stdin.(*os.File)
	return isFile && terminal.New(in).IsTerminal() && p.Stdout.IsTerminal()
}

// check returns all mistakes in the flags.
func (f acceptFlags) check(ids []string) error {
	if f.answers {
		return nil
	}
	errs := acceptance.Check(f.review)
	switch {
	case f.all && len(ids) > 0:
		errs = append(errs, errors.New("--all takes every difference of the report; name ids, or use --all"))
	case !f.all && len(ids) == 0:
		errs = append(errs, errors.New("name the cases or causes by their ids in the report, or use --all; on a terminal, without "+
			"--why, you are asked"))
	}
	return errors.Join(errs...)
}

// checkAccepted refuses a file of exceptions that is the report.
func (p *program) checkAccepted(file, report string) error {
	files := p.NewFiles()
	if file != "" {
		files.Output(fileFlag+file, file)
	}
	files.Input("the report", report)
	return files.Check()
}

func (p *program) accept(ctx context.Context, flags acceptFlags, report string, ids []string) error {
	read := acceptance.NewReport(acceptance.Stable)
	if err := recorded.Play(p.Console, report, read); err != nil {
		return err
	}
	p.warnOfNoVerdict(read)
	chosen, err := read.Chosen(ids)
	if err != nil {
		return err
	}
	if len(chosen) == 0 {
		return p.Stdout.Printf("the report has no unexplained difference; nothing is to be accepted\n")
	}
	var decisions []acceptance.Decision
	if flags.answers {
		dialogue := acceptance.Dialogue{In: p.Stdin, Print: func(format string, args ...any) { _ = p.Stdout.Printf(format, args...) }}
		if decisions, err = dialogue.Ask(chosen); err != nil {
			return err
		}
	}
	for _, cause := range chosen {
		if !flags.answers {
			decisions = append(decisions, acceptance.Decision{Cause: cause, Review: flags.review})
		}
	}
	return p.writeAccepted(ctx, flags, decisions)
}

// accepted are the decisions that go into one file with one review.
type accepted struct {
	file   acceptance.File
	review exceptionfile.Review
	causes []*acceptance.Cause
}

// writeAccepted writes the exceptions, and names their files in suites.
func (p *program) writeAccepted(ctx context.Context, flags acceptFlags, decisions []acceptance.Decision) error {
	var all []*accepted
	for _, decision := range decisions {
		file := acceptance.File{Name: flags.file, IsNamed: true}
		if flags.file == "" {
			var err error
			if file, err = acceptance.FileOf(decision.Cause.Suite.Source); err != nil {
				return err
			}
		}
		at := slices.IndexFunc(all, func(other *accepted) bool { return other.file == file && other.review == decision.Review })
		if at < 0 {
			at, all = len(all), append(all, &accepted{file: file, review: decision.Review})
		}
		all[at].causes = append(all[at].causes, decision.Cause)
	}
	suites, err := namedSuites(all)
	if err != nil {
		return err
	}
	for _, of := range all {
		if err := p.writeExceptionsOf(ctx, flags, of); err != nil {
			return err
		}
		text := suites[of.file.Suite]
		if text == nil {
			continue
		}
		delete(suites, of.file.Suite)
		if err := p.nameExceptions(flags, of.file, text); err != nil {
			return err
		}
	}
	return nil
}

// namedSuites returns the texts of the suites that do not name their files of exceptions yet, with that key.
func namedSuites(all []*accepted) (map[string][]byte, error) {
	suites := map[string][]byte{}
	var errs []error
	for _, of := range all {
		if of.file.IsNamed || suites[of.file.Suite] != nil {
			continue
		}
		text, err := of.file.Named()
		suites[of.file.Suite], errs = text, append(errs, err)
	}
	return suites, errors.Join(errs...)
}

// writeExceptionsOf adds exceptions to a file while no other command changes it.
func (p *program) writeExceptionsOf(ctx context.Context, flags acceptFlags, of *accepted) (err error) {
	name := of.file.Name
	lock, err := terminal.Lock(ctx, "", name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	data, _, err := readExceptions("", name)
	if err != nil {
		return err
	}
	var found []exceptionfile.Difference
	for _, cause := range of.causes {
		found = append(found, cause.Differences...)
	}
	content, ids, err := exceptionfile.Add(name, data, found, of.review, p.Now())
	if err != nil {
		return err
	}
	verb := "added"
	if flags.dryRun {
		verb = "would add"
	} else if err := writeExceptions(name, content); err != nil {
		return err
	}
	for _, id := range ids {
		if err := p.Stdout.Printf("%s: %s %s\n", name, verb, id); err != nil {
			return err
		}
	}
	for _, cause := range of.causes {
		if err := p.Stdout.Printf("  covers %s: %s\n", cause.Covers(), cause.Title()); err != nil {
			return err
		}
	}
	return nil
}

// nameExceptions writes a suite that names its exceptions.
func (p *program) nameExceptions(flags acceptFlags, file acceptance.File, text []byte) error {
	if flags.dryRun {
		return p.Stdout.Printf("%s: would name %s\n", file.Suite, file.Name)
	}
	if err := outfile.Write(file.Suite, text); err != nil {
		return err
	}
	return p.Stdout.Printf("%s: names %s now\nnext: diffrun run %s\n", file.Suite, file.Name, file.Suite)
}
