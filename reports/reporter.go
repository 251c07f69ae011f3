package reports

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/plaintext"
)

// Header is what is known before the first result.
type Header struct {
	// Version is that of diffrun.
	Version string
	// Suites are those that the run was asked for, in its order.
	Suites []Suite
}

// Suite is a suite of the run.
type Suite struct {
	Name string
	// Source is the file that the suite was read from.
	Source string
}

// Footer is what is known after the last result.
type Footer struct {
	// Summary counts the results that were reported.
	Summary harness.Summary
	// Problems are what is wrong with the run as a whole, a text each, with
	// file and line where there is one: an exception that is stale, a rule
	// that is never used, a suite without a case, a backend that never
	// reported an error.
	Problems []string
	// Incomplete says that the run ended before all cases were compared.
	Incomplete bool
	// Elapsed is what the run took.
	Elapsed time.Duration
}

// Reporter writes a run in one format: Begin once, Result for each result,
// those of one case one after the other, End once, also after an interrupt.
// Errors are those of the writer. A Reporter serves one goroutine at a time.
type Reporter interface {
	Begin(Header) error
	Result(harness.Result) error
	End(Footer) error
}

// Options are what formats for people can be asked for. The zero value is
// plain and brief; formats for programs heed none of them.
type Options struct {
	// Color allows ANSI colours.
	Color bool
	// Verbose also lists what needs nobody's attention: accepted differences,
	// versions that cannot express a case, the stacks of panics.
	Verbose bool
	// Pruned also lists the fields that pruning dropped of a case about which there is
	// nothing else to say.
	Pruned bool
}

// format makes reporters that write one format.
type format struct {
	name string
	make func(io.Writer, Options) Reporter
}

// formats lists all formats. This is the one place to add another.
func formats() []format {
	return []format{
		{"text", newText},
		{"json", newJSON},
		{"jsonl", newJSONLines},
	}
}

// Formats gives the names that New accepts.
func Formats() []string {
	var names []string
	for _, format := range formats() {
		names = append(names, format.name)
	}
	return names
}

// New makes a Reporter that writes a format to w: whole lines in each call of
// w.Write, and none held back but those of the case that is still coming in.
// The error says which formats there are.
func New(name string, w io.Writer, options Options) (Reporter, error) {
	var styles []plaintext.Style
	if options.Color {
		styles = plaintext.Styles()
	}
	for _, format := range formats() {
		if format.name == name {
			return format.make(plaintext.NewWriter(w, styles...), options), nil
		}
	}
	return nil, fmt.Errorf("unknown report format %q; accepted: %s", name, strings.Join(Formats(), ", "))
}

// Join makes a Reporter that reports to several. One that fails does not keep
// the results from the others; their errors come joined.
func Join(reporters ...Reporter) Reporter { return joined(reporters) }

// write writes parts in one call, so that they stay together where a progress
// bar shares the terminal.
func write(w io.Writer, report string, parts ...string) error {
	if _, err := io.WriteString(w, strings.Join(parts, "")); err != nil {
		return fmt.Errorf("writing the %s report: %w", report, err)
	}
	return nil
}

type joined []Reporter

func (j joined) Begin(header Header) error {
	return j.each(func(r Reporter) error { return r.Begin(header) })
}

func (j joined) Result(result harness.Result) error {
	return j.each(func(r Reporter) error { return r.Result(result) })
}

func (j joined) End(footer Footer) error {
	return j.each(func(r Reporter) error { return r.End(footer) })
}

func (j joined) each(report func(Reporter) error) error {
	var errs []error
	for _, reporter := range j {
		errs = append(errs, report(reporter))
	}
	return errors.Join(errs...)
}
