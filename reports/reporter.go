package reports

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/reports/record"
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
	FailOn []string
	// Suites are the suites of the run, in their order.
	Suites []record.Suite
	// Origin describes where the run comes from.
	Origin record.Origin
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

// Footer is what is known after the last result.
type Footer struct {
	// Summary counts the results that were reported.
	Summary harness.Summary
	// Problems are the problems of the whole run, with file and line if known: a stale exception,
	// an unused rule, a suite without a case, a backend that never reported an error.
	Problems []string
	// Notes say what the run did not show, and why that is no problem.
	Notes []string
	// LeftOut counts the cases that --ignore-missing-targets skipped, because their suite has no
	// target for them.
	LeftOut []record.LeftOut
	// Incomplete is true if the run ended before all cases were compared.
	Incomplete bool
	// Narrowings are the flags that made the run skip cases, errors or explanations.
	Narrowings []record.Narrowing
	// Tally has the counts of a shard. It is nil for a whole run.
	Tally *record.Tally
	// Coverage lists what the cases do not test. It is nil if the run did not measure it.
	Coverage record.Coverage
	// Elapsed is the duration of the run.
	Elapsed time.Duration
	// Checksum is the hash of a recorded run, which Play has checked. Two reports with one Checksum
	// are copies. It is empty while a run is written.
	Checksum string
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

// write writes parts in one call, so a progress bar in the same terminal cannot separate them.
func write(w io.Writer, report string, parts ...string) error {
	if _, err := io.WriteString(w, strings.Join(parts, "")); err != nil {
		return fmt.Errorf("writing the %s report: %w", report, err)
	}
	return nil
}
