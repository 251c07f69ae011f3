package reports

import (
	"fmt"
	"io"
	"strings"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/internal/ci"
	"github.com/diffrun/diffrun/reports/internal/html"
	"github.com/diffrun/diffrun/reports/internal/markdown"
	"github.com/diffrun/diffrun/reports/internal/summary"
	"github.com/diffrun/diffrun/reports/internal/text"
)

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
	header := summary.Header{
		Version: h.Version,
		Shard:   h.Shard,
		Options: h.Options,
		Gate:    h.FailOn,
		Sides:   h.sides(),
		Origin:  summary.Origin(h.Origin),
	}
	for _, suite := range h.Suites {
		header.Suites = append(header.Suites, summary.Suite{Name: suite.Name, Source: suite.Source})
	}
	return d.to.Begin(header)
}

func (d *drawing) Result(r harness.Result) error { return d.to.Result(r) }

func (d *drawing) End(f Footer) error {
	footer := summary.Footer{
		Summary: f.Summary, Problems: f.Problems, Notes: f.Notes, Incomplete: f.Incomplete, Narrowed: f.NarrowedTexts(d.shard),
		Tallied: f.Tally != nil, Coverage: f.Coverage, Elapsed: f.Elapsed,
	}
	for _, left := range f.LeftOut {
		footer.LeftOut = append(footer.LeftOut, summary.LeftOut(left))
	}
	return d.to.End(footer)
}
