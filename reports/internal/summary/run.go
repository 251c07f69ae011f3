package summary

import (
	"io"
	"slices"
	"strings"
	"time"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/findings/gate"
)

// Reporter writes a run in one format, as reports.Reporter does.
type Reporter interface {
	Begin(Header) error
	Result(harness.Result) error
	End(Footer) error
}

// Header is what is known before the first result.
type Header struct {
	// Version is the version of diffrun.
	Version string
	// Shard is "2/7" for the second of seven shards, or "" for a whole run.
	Shard string
	// Options are the flags that decided what was compared, and how.
	Options []string
	Gate    gate.Gate
	Suites  []Suite
	Origin  Origin
	// Sides names the backends of all suites.
	Sides harness.Sides
}

// Origin describes where a run comes from, as reports.Origin does.
type Origin struct {
	Started           time.Time
	Commit            string
	Modified          bool
	SourceURL, RunURL string
}

// Suite is a suite of the run, and the path of its file.
type Suite struct{ Name, Source string }

// Footer is what is known after the last result.
type Footer struct {
	Summary  harness.Summary
	Problems []string
	// Notes say what the run did not show, and why that is no problem.
	Notes   []string
	LeftOut []LeftOut
	// Incomplete is true if the run ended before all cases were compared.
	Incomplete bool
	// Narrowed lists what the run left out on purpose, one text for each flag.
	Narrowed []string
	// Tallied is true for a shard: only all shards together show whether suites have cases.
	Tallied  bool
	Coverage Coverage
	Elapsed  time.Duration
}

// explored reports whether the cases are the differences that an exploration found. If there are none, it
// compared other inputs.
func (f Footer) explored() bool {
	return slices.ContainsFunc(f.Narrowed, func(text string) bool { return strings.Contains(text, "(explore --seed ") })
}

// LeftOut counts the skipped cases of a kind without a target in its suite.
type LeftOut struct {
	Suite, Target string
	Cases         int
}

// Coverage lists what the cases of a run do not test. It is nil if the run did not measure it.
type Coverage interface {
	MarkdownPart(w io.Writer, most int) error
	HTMLPart(w io.Writer) error
}

// CoverageTitle is the heading of the section about coverage.
const CoverageTitle = "What the cases do not prove"
