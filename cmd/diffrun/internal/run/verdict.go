package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/gate"
	"github.com/diffrun/diffrun/internal/findings/tally"
	"github.com/diffrun/diffrun/reports"
)

// checkFailOn refuses words that --fail-on does not accept.
func checkFailOn(words gate.Gate) error {
	var unknown []string
	for _, word := range words {
		if !slices.Contains(gate.Words(), word) {
			unknown = append(unknown, strconv.Quote(word))
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	return fmt.Errorf("--fail-on does not know %s; accepted: %s", strings.Join(unknown, ", "), strings.Join(gate.Words(), ", "))
}

// judge returns the status of a finished run. Faults come first: if some inputs have no verdict, the
// number of differences means little. Faults and problems always fail a run; the gate decides about
// differences and unmet expectations.
func judge(summary harness.Summary, problems []string, gate gate.Gate) terminal.Status {
	switch {
	case summary.Verdicts[words.Faulted] > 0:
		return terminal.Fault
	case len(problems) > 0 || gate.FailsOn(summary):
		return terminal.Different
	}
	return terminal.OK
}

// verdict returns the exit status of a reported run, or nil if nothing failed.
func (s *session) verdict(ctx context.Context, footer reports.Footer, failed error) error {
	switch {
	case ctx.Err() != nil:
		return terminal.Exitf(terminal.Interrupted, "interrupted; cases finished and reported: %d", s.summary.Cases)
	case failed != nil:
		return failed
	case s.summary.Cases == 0 && s.found != nil:
		if len(s.found.Problems) > 0 {
			return terminal.Exit(terminal.Different)
		}
	case s.summary.Cases == 0 && (s.selection.cases > 0 || s.options.byFile() && s.selection.files > 0): // all are of other shards
	case s.summary.Cases == 0 && s.options.Only != nil:
		return terminal.Exitf(terminal.Mistake, "%w", s.selection.noneSelected(s.options.Only))
	case s.summary.Cases == 0 && s.options.checkRecorded:
		return terminal.Exitf(terminal.Mistake, "no case has recorded errors, which --check-recorded compares; diffrun "+
			"capture records them")
	case s.summary.Cases == 0:
		return terminal.Exitf(terminal.Mistake, "%w", errNoCase)
	}
	if status := judge(s.summary, footer.Problems, s.options.failOn); status != terminal.OK {
		return terminal.Exit(status)
	}
	return nil
}

// joinErrors returns the status of a run, some of whose results could not be shown on stdout or
// written to files. The error then has the results, because they may be nowhere else. A report in a
// file is wanted by somebody, so a run that succeeded fails without it. An error of stdout does not
// change the status.
func (s *session) joinErrors(verdict, unshown, unwritten error) error {
	ended := (*terminal.ExitError)(nil)
	switch {
	case unshown == nil && unwritten == nil:
		return verdict
	case verdict != nil && !errors.As(verdict, &ended):
		return errors.Join(verdict, unshown, unwritten)
	case ended == nil:
		ended = &terminal.ExitError{}
	}
	run := fmt.Errorf("diffrun: the run itself ended with status %d: %s", ended.Status, s.results())
	if ended.Reason != nil {
		run = fmt.Errorf("%w; %w", run, ended.Reason)
	}
	status := ended.Status
	if unwritten != nil {
		status = cmp.Or(status, terminal.Mistake)
	}
	return &terminal.ExitError{Status: status, Reason: errors.Join(unshown, unwritten, run)}
}

// results returns the summary of the run in one line.
func (s *session) results() string {
	return tally.Of(s.summary, 0).Line()
}
