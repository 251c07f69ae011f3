package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cases/escapes"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports"
	"github.com/diffrun/diffrun/reports/record"
)

func (p *program) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Show disagreements that reached users of public projects, and how one is found and fixed",
		Long: `Show disagreements that reached users of public projects, and how one is found and fixed.

The validators, schemas and objects are in the command: it needs no files and
no cluster, and changes nothing.`,
		Args: arguments(0, 0, "none"),
		RunE: func(command *cobra.Command, _ []string) error {
			d := demo{program: p, files: &cases.Files{FS: escapes.Suites()}}
			return errors.Join(d.showAll(command.Context()), d.showOne(command.Context()))
		},
	}
}

// demo runs the bundled escapes and explains each step.
type demo struct {
	*program
	files *cases.Files
}

// demoLine is the number of columns of a line.
const demoLine = 80

// showAll prints what each escape was and which effect it had.
func (d *demo) showAll(ctx context.Context) error {
	found, _, err := d.files.Find(".")
	if err != nil {
		return err
	}
	d.say("", fmt.Sprintf("%d validation bugs that reached users, each cut down to a schema, the validator in Go, "+
		"and objects that show it. Each object goes through both:", len(found)))
	d.print("\n")
	var summary harness.Summary
	for _, place := range found {
		if err := d.showEscape(ctx, place, &summary); err != nil {
			return err
		}
	}
	admits, refuses, different := summary.Effects[words.Admits], summary.Effects[words.Refuses], summary.Verdicts[words.Different]
	d.print("\n")
	d.say("", fmt.Sprintf("admits (%d): the schema stores what the validator refuses. Controllers fail on it, and a rollback "+
		"to the validator is blocked.", admits))
	d.say("", fmt.Sprintf("refuses (%d): the schema refuses what the validator accepts. Users cannot create or update these "+
		"objects any more.", refuses))
	d.say("", fmt.Sprintf("none (%d): both refuse, but their errors differ.", different-admits-refuses))
	d.say("", fmt.Sprintf("On the other %d of %s both sides agree, error by error.", summary.Inputs-different,
		plaintext.Count(summary.Inputs, "input")))
	return nil
}

// showEscape prints an escape and adds its results to a summary.
func (d *demo) showEscape(ctx context.Context, place cases.Location, summary *harness.Summary) error {
	var escape harness.Result
	err := d.compare(ctx, place, func(result harness.Result) error {
		summary.Add(result)
		if result.Verdict == words.Different {
			escape = result
		}
		return nil
	})
	if err != nil {
		return err
	}
	if escape.Case == nil {
		return fmt.Errorf("%s: both sides agree on every object", place.Name)
	}
	issue, what, err := d.introduction(place.Name)
	if err != nil {
		return err
	}
	head := fmt.Sprintf("%s, %s", issue, escape.Version.Kind)
	gap := max(1, demoLine-len("✗ ")-len(head)-len("effect: refuses"))
	d.print("✗ %s%seffect: %s\n", head, strings.Repeat(" ", gap), string(escape.Effect))
	d.say("  ", what)
	return nil
}

// mendedEscape is the folder of the escape that showOne explains.
const mendedEscape = "03-disruption-budgets"

// showOne prints how an escape is found and fixed.
func (d *demo) showOne(ctx context.Context) error {
	file := func(name string) string { return path.Join(mendedEscape, name) }
	issue, _, err := d.introduction(file(cases.SuiteFile))
	if err != nil {
		return err
	}
	wrong, right, err := d.changedLine(file("crd.yaml"), file("crd-mended.yaml"))
	if err != nil {
		return err
	}
	examples, err := d.linesAfter(file("cases.yaml"), "cases:")
	if err != nil {
		return err
	}
	d.heading("How one of them is found: " + issue)
	d.say("", "The validator in Go checks each budget of a pool: a schedule needs a duration, and a duration a schedule. "+
		"The rule in the schema says it like this:")
	d.quote(wrong)
	d.say("", "Cases are valid objects, each with one change, and the errors that the validator must report:")
	d.quote(examples...)
	d.say("", "A suite names the validator, the schema and the cases. diffrun run prints:")
	d.print("\n")
	if _, err := d.report(ctx, file(cases.SuiteFile)); err != nil {
		return err
	}
	d.heading("How it is fixed")
	d.say("", "\"not all are wrong\" is not \"none is wrong\": one good budget hides the others.")
	d.quote("- "+wrong, "+ "+right)
	d.say("", "diffrun run prints:")
	d.print("\n")
	switch summary, err := d.report(ctx, file("mended.yaml")); {
	case err != nil:
		return err
	case summary.Verdicts[words.Different] > 0:
		return fmt.Errorf("%s: the fixed schema still differs", file("mended.yaml"))
	}
	d.heading("Your own API")
	d.print("cd into a repository with CustomResourceDefinitions and run\n\n    diffrun init\n\n")
	d.say("", "It finds definitions, validators, policies and samples, and writes a suite that runs them.")
	return nil
}

// compare runs a suite and passes on its results.
func (d *demo) compare(ctx context.Context, place cases.Location, sink func(harness.Result) error) (failed error) {
	builtins := map[string]cases.Builtin{"escapes": {Natives: escapes.Natives{}}}
	plan, err := cases.Load([]cases.Location{place}, cases.Options{Builtins: builtins, Now: d.Now()})
	if err != nil {
		return err
	}
	defer func() { failed = errors.Join(failed, plan.Close()) }()
	ledger := plan.Ledger()
	for _, suite := range plan.Suites {
		options := cases.JobOptions{Harness: harness.Options{Rules: suite.Rules, Exceptions: suite.Exceptions, Ledger: ledger}}
		if err := harness.Run(ctx, suite.Jobs(options), harness.RunOptions{}, sink); err != nil {
			return err
		}
	}
	return nil
}

// report prints the report of a suite without its time, which would differ between runs.
func (d *demo) report(ctx context.Context, suite string) (harness.Summary, error) {
	var footer reports.Footer
	reporter, err := reports.New("text", d.Stdout.Guarded, reports.Options{Color: d.Stdout.Colorful(), Width: demoLine})
	if err != nil {
		return footer.Summary, err
	}
	if err := reporter.Begin(reports.Header{Suites: []record.Suite{{Name: suite, Source: suite}}}); err != nil {
		return footer.Summary, err
	}
	err = d.compare(ctx, cases.Location{Files: d.files, Name: suite}, func(result harness.Result) error {
		footer.Summary.Add(result)
		return reporter.Result(result)
	})
	return footer.Summary, errors.Join(err, reporter.End(footer))
}

// introduction returns the issue and the first sentence of the comment of a suite.
func (d *demo) introduction(suite string) (issue, what string, err error) {
	data, err := fs.ReadFile(d.files, suite)
	if err != nil {
		return "", "", err
	}
	var words []string
	for line := range strings.Lines(string(data)) {
		comment, is := strings.CutPrefix(line, "#")
		if !is {
			break
		}
		words = append(words, strings.Fields(comment)...)
	}
	issue, rest, _ := strings.Cut(strings.Join(words, " "), ": ")
	what, _, complete := strings.Cut(rest, ". ")
	if !complete {
		return "", "", fmt.Errorf("%s: the comment must begin with ISSUE, a colon and a sentence", suite)
	}
	return issue, what + ".", nil
}

// changedLine returns the line of a file that is different in the other, without its indentation.
func (d *demo) changedLine(before, after string) (removed, added string, err error) {
	one, errOne := fs.ReadFile(d.files, before)
	two, errTwo := fs.ReadFile(d.files, after)
	if err := errors.Join(errOne, errTwo); err != nil {
		return "", "", err
	}
	others := strings.Split(string(two), "\n")
	for i, line := range strings.Split(string(one), "\n") {
		if i < len(others) && line != others[i] {
			return strings.TrimSpace(line), strings.TrimSpace(others[i]), nil
		}
	}
	return "", "", fmt.Errorf("%s and %s are the same", before, after)
}

// linesAfter returns the lines of a file that follow a line.
func (d *demo) linesAfter(name, line string) ([]string, error) {
	data, err := fs.ReadFile(d.files, name)
	_, rest, _ := strings.Cut(string(data), "\n"+line+"\n")
	return strings.Split(strings.TrimSpace(rest), "\n"), err
}

func (d *demo) heading(text string) {
	d.print("\n%s\n%s\n\n", text, strings.Repeat("-", len(text)))
}

// say prints a paragraph.
func (d *demo) say(indent, text string) {
	line := indent
	for _, word := range strings.Fields(text) {
		if len(line) > len(indent) && len(line)+len(" ")+len(word) > demoLine {
			d.print("%s\n", line)
			line = indent
		}
		if len(line) > len(indent) {
			line += " "
		}
		line += word
	}
	d.print("%s\n", line)
}

// quote prints lines of a file.
func (d *demo) quote(lines ...string) {
	d.print("\n")
	for _, line := range lines {
		d.print("    %s\n", line)
	}
	d.print("\n")
}

// print prints text. Closing stdout returns its error.
func (d *demo) print(format string, args ...any) { _ = d.Stdout.Printf(format, args...) }
