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
	// Shard is "2/7" for the second of seven parts of a run; empty: the whole run.
	Shard string
	// Options are the flags that decided what was compared, and how.
	Options []string
	// Suites are the suites of the run, in their order.
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
	// Problems are the problems of the whole run, with file and line if they have one: a
	// stale exception, an unused rule, a suite without a case, a backend that never
	// reported an error.
	Problems []string
	// LeftOut counts the cases that were not run, because their suite has no target for
	// them and --ignore-missing-targets says to leave them out.
	LeftOut []LeftOut
	// Incomplete says that the run ended before all cases were compared.
	Incomplete bool
	// Narrowed says that the run left out cases or errors on purpose: rules and exceptions
	// that it had no use for may be needed by a full run.
	Narrowed bool
	// Tally is what a shard counted; nil for a whole run.
	Tally *Tally
	// Coverage is what the cases do not prove; nil: nobody asked.
	Coverage Coverage
	// Elapsed is the time of the run.
	Elapsed time.Duration
}

// LeftOut counts the cases of a kind that a suite has no target for.
type LeftOut struct {
	Suite string
	// Target is apiVersion and kind of the cases, such as "apps/v1 Deployment".
	Target string
	Cases  int
}

// Reporter writes a run in one format. Call Begin once, Result for each result, with all
// results of a case one after the other, and End once, also after an interrupt. Errors
// are those of the writer. A Reporter must not be used by several goroutines at once.
type Reporter interface {
	Begin(Header) error
	Result(harness.Result) error
	End(Footer) error
}

// Options change the formats for people. The zero value is plain and brief. Formats for
// programs ignore them.
type Options struct {
	// Color allows ANSI colours.
	Color bool
	// Verbose also lists accepted differences, versions that cannot express a case, and
	// the stacks of panics.
	Verbose bool
	// Pruned also lists pruned fields of cases that have nothing else to report.
	Pruned bool
}

// format makes reporters that write one format.
type format struct {
	name string
	make func(io.Writer, Options) Reporter
	// annotates says that the format is read by those who take commands from a log.
	annotates bool
}

// formats lists all formats. This is the one place to add another.
func formats() []format {
	return []format{
		{name: "text", make: newText},
		{name: "json", make: newJSON},
		{name: "jsonl", make: newJSONLines},
		{name: "junit", make: newJUnit},
		{name: "markdown", make: newMarkdown},
		{name: "html", make: newHTML},
		{name: "sarif", make: newSARIF},
		{name: "github", make: newGitHub, annotates: true},
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

// New makes a Reporter that writes a format to w. It writes whole lines, and holds back
// only those of the current case. The error lists the formats.
func New(name string, w io.Writer, options Options) (Reporter, error) {
	var styles []plaintext.Style
	if options.Color {
		styles = plaintext.Styles()
	}
	for _, format := range formats() {
		switch {
		case format.name != name:
		case format.annotates:
			return format.make(plaintext.NewAnnotationWriter(w), options), nil
		default:
			return format.make(plaintext.NewWriter(w, styles...), options), nil
		}
	}
	return nil, fmt.Errorf("unknown report format %q; accepted: %s", name, strings.Join(Formats(), ", "))
}

// Join makes a Reporter that passes everything to several reporters. If one fails, the
// others still get all results, and the errors are joined.
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
