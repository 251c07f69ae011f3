package reports

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/internal/ci"
	"github.com/diffrun/diffrun/reports/internal/html"
	"github.com/diffrun/diffrun/reports/internal/markdown"
	"github.com/diffrun/diffrun/reports/internal/summary"
	"github.com/diffrun/diffrun/reports/internal/text"
)

// Header is what is known before the first result.
type Header struct {
	// Version is the version of diffrun.
	Version string
	// Shard is "2/7" for the second of seven shards, or "" for a whole run.
	Shard string
	// Options are the flags that decided what was compared, and how.
	Options []string
	// FailOn is the gate of the run. What it allows is reported as allowed, and not as a failure.
	FailOn harness.Gate
	// Suites are the suites of the run, in their order.
	Suites []Suite
}

// sides names the backends of all suites.
func (h Header) sides() harness.Sides {
	var all harness.Sides
	for i, suite := range h.Suites {
		if i == 0 {
			all = suite.Compared
		}
		all = all.Joined(suite.Compared)
	}
	return all
}

// Suite is a suite of the run.
type Suite struct {
	Name string
	// Source is the path of the suite's file.
	Source string
	// Compared names the two backends.
	Compared harness.Sides
}

// Footer is what is known after the last result.
type Footer struct {
	// Summary counts the results that were reported.
	Summary harness.Summary
	// Problems are the problems of the whole run, with file and line if known: a stale exception,
	// an unused rule, a suite without a case, a backend that never reported an error.
	Problems []string
	// LeftOut counts the cases that --ignore-missing-targets skipped, because their suite has no
	// target for them.
	LeftOut []LeftOut
	// Incomplete is true if the run ended before all cases were compared.
	Incomplete bool
	// Narrowings are the flags that made the run skip cases, errors or explanations.
	Narrowings []Narrowing
	// Tally has the counts of a shard. It is nil for a whole run.
	Tally *Tally
	// Coverage lists what the cases do not test. It is nil if the run did not measure it.
	Coverage Coverage
	// Elapsed is the duration of the run.
	Elapsed time.Duration
	// Checksum is the hash of a recorded run, which Play has checked. Two reports with one Checksum
	// are copies. It is empty while a run is written.
	Checksum string
}

// LeftOut counts the skipped cases of a kind without a target in its suite.
type LeftOut struct {
	Suite string `json:"suite"`
	// Target is the version of the cases, such as "apps/v1 Deployment".
	Target string `json:"target"`
	Cases  int    `json:"cases"`
}

// Reporter writes a run in one format. Call Begin once, Result for each result, and End once, also
// after an interrupt. The results of a case must come one after the other. Errors are those of the
// writer. A Reporter is not safe for concurrent use.
type Reporter interface {
	Begin(Header) error
	Result(harness.Result) error
	End(Footer) error
}

// Options control the formats for people and for CI systems. The zero value is plain and brief.
// JSON ignores them.
type Options struct {
	// Color allows ANSI colours.
	Color bool
	// Width is how many columns the terminal has; 0: the text goes elsewhere. Lines of texts are at
	// most 100 long, and a table that would not fit leaves out columns that are zero in every row.
	Width int
	// Verbose also lists accepted differences, versions that cannot express a case, and
	// the stacks of panics.
	Verbose bool
	// Pruned also lists pruned fields of cases that have nothing else to report.
	Pruned bool
}

// format is an output format.
type format struct {
	name string
	make func(io.Writer, Options) Reporter
	// annotates is true if the reader of the format executes commands in a log.
	annotates bool
}

// formats returns all formats. Add a format here.
func formats() []format {
	return []format{
		{name: "text", make: drawn(func(w io.Writer, o Options) summary.Reporter { return text.New(w, text.Options(o)) })},
		{name: "json", make: newJSON},
		{name: "jsonl", make: newJSONLines},
		{name: "junit", make: drawn(plain(ci.NewJUnit))},
		{name: "markdown", make: drawn(plain(markdown.New))},
		{name: "html", make: drawn(plain(html.New))},
		{name: "sarif", make: drawn(plain(ci.NewSARIF))},
		{name: "github", make: drawn(plain(ci.NewGitHub)), annotates: true},
	}
}

// Formats returns the names that New accepts.
func Formats() []string {
	var names []string
	for _, format := range formats() {
		names = append(names, format.name)
	}
	return names
}

// New returns a Reporter that writes a format to w. It writes whole lines, and delays only those
// of the current case. The error for an unknown format lists the formats.
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

// drawn adapts a format of package summary.
func drawn(make func(io.Writer, Options) summary.Reporter) func(io.Writer, Options) Reporter {
	return func(w io.Writer, options Options) Reporter { return &drawing{to: make(w, options)} }
}

// plain is for formats without options.
func plain(make func(io.Writer) summary.Reporter) func(io.Writer, Options) summary.Reporter {
	return func(w io.Writer, _ Options) summary.Reporter { return make(w) }
}

// drawing is a reporter of package summary.
type drawing struct {
	to    summary.Reporter
	shard string
}

func (d *drawing) Begin(h Header) error {
	d.shard = h.Shard
	header := summary.Header{Version: h.Version, Shard: h.Shard, Gate: h.FailOn, Sides: h.sides()}
	for _, suite := range h.Suites {
		header.Suites = append(header.Suites, summary.Suite{Name: suite.Name, Source: suite.Source})
	}
	return d.to.Begin(header)
}

func (d *drawing) Result(r harness.Result) error { return d.to.Result(r) }

func (d *drawing) End(f Footer) error {
	footer := summary.Footer{
		Summary: f.Summary, Problems: f.Problems, Incomplete: f.Incomplete, Narrowed: f.NarrowedTexts(d.shard),
		Tallied: f.Tally != nil, Coverage: f.Coverage, Elapsed: f.Elapsed,
	}
	for _, left := range f.LeftOut {
		footer.LeftOut = append(footer.LeftOut, summary.LeftOut(left))
	}
	return d.to.End(footer)
}

// Join returns a Reporter that sends everything to several reporters. If one fails, the others
// still get all results, and the errors are joined.
func Join(reporters ...Reporter) Reporter { return joined(reporters) }

// write writes parts in one call, so a progress bar in the same terminal cannot separate them.
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
