package ci

import (
	"fmt"
	"io"
	"strings"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/findings/gate"
	"github.com/diffrun/diffrun/internal/text/ciformats"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/internal/display"
	"github.com/diffrun/diffrun/reports/internal/summary"
)

// junit writes a run as JUnit XML: a suite for each target, a test for each case. The counts of a
// suite come before its tests, so the names of all tests, and bounded texts of those that failed,
// are kept until the end.
type junit struct {
	out      io.Writer
	gate     gate.Gate
	several  bool // suites are to be told apart
	suites   []*ciformats.Suite
	byTarget map[summary.Key]*ciformats.Suite
}

// junitPairs limits the differences written for a case.
const junitPairs = 5

// NewJUnit returns a reporter that writes JUnit XML to w.
func NewJUnit(w io.Writer) summary.Reporter {
	return &junit{out: w, byTarget: map[summary.Key]*ciformats.Suite{}}
}

func (j *junit) Begin(header summary.Header) error {
	j.several, j.gate = len(header.Suites) > 1, header.Gate
	return nil
}

func (j *junit) Result(r harness.Result) error {
	suite := j.suite(summary.KeyOf(r))
	test := ciformats.Test{
		Name: display.Name(r.Case.ID), Class: suite.Name, Took: r.Native.Elapsed + r.Declarative.Elapsed,
		Fault: junitFault(r),
	}
	test.Failures, test.Allowed = j.failures(r)
	if r.Verdict == harness.Inexpressible {
		test.Skipped = display.Name("the version cannot express this case: " + r.Inexpressible)
	}
	if len(test.Failures) > 0 {
		test.Kind = failureKind(r)
	}
	suite.Tests = append(suite.Tests, test)
	return nil
}

// suite returns the suite of a target.
func (j *junit) suite(key summary.Key) *ciformats.Suite {
	suite := j.byTarget[key]
	if suite == nil {
		title := key.Name()
		if j.several {
			title = display.Name(key.Suite) + ": " + title
		}
		suite = &ciformats.Suite{Name: title}
		j.byTarget[key] = suite
		j.suites = append(j.suites, suite)
	}
	return suite
}

// End adds the problems of the whole run, which have no target.
func (j *junit) End(footer summary.Footer) error {
	report := ciformats.JUnit{Name: "diffrun run"}
	for _, suite := range j.suites {
		report.Suites = append(report.Suites, *suite)
	}
	whole := ciformats.Suite{Name: "the run as a whole"}
	if footer.Incomplete {
		whole.Tests = append(whole.Tests, ciformats.Test{Name: "complete", Class: whole.Name, Fault: "the run ended before all cases were compared"})
	}
	if len(footer.Problems) > 0 {
		shown, more := plaintext.First(footer.Problems)
		var problems []string
		for _, problem := range shown {
			problems = append(problems, plaintext.Line(problem))
		}
		if more > 0 {
			problems = append(problems, plaintext.More(more))
		}
		whole.Tests = append(whole.Tests, ciformats.Test{Name: "problems", Class: whole.Name, Kind: "problem", Failures: problems})
	}
	for _, text := range footer.Narrowed {
		whole.Properties = append(whole.Properties, ciformats.Property{Name: "narrowed", Value: text})
	}
	if len(whole.Properties) > 0 {
		whole.Tests = append(whole.Tests, ciformats.Test{Name: "all that there is", Class: whole.Name, Skipped: summary.NarrowedSentence(footer)})
	}
	if len(j.gate) > 0 {
		whole.Properties = append(whole.Properties, ciformats.Property{Name: "fail-on", Value: j.gate.String()})
	}
	for _, left := range footer.LeftOut {
		whole.Tests = append(whole.Tests, ciformats.Test{
			Name: display.Name(left.Suite) + ": " + display.Name(left.Target), Class: whole.Name,
			Skipped: display.Count(left.Cases, "case") + " left out: the suite has no such target",
		})
	}
	if len(whole.Tests)+len(whole.Properties) > 0 {
		report.Suites = append(report.Suites, whole)
	}
	if err := report.Write(j.out); err != nil {
		return fmt.Errorf("writing the JUnit report: %w", err)
	}
	return nil
}

// junitFault returns why there is no verdict, or "".
func junitFault(r harness.Result) string {
	var said []string
	for of, fault := range r.Faults() {
		said = append(said, "fault of the "+of+": "+plaintext.Line(fault.Error()))
	}
	return strings.Join(said, "; ")
}

// failures returns a line for each difference and for each expectation that is not met: those that
// fail the run, and those that its gate allows.
func (j *junit) failures(r harness.Result) (fails, allows []string) {
	var failing, allowed []equivalence.Pair
	for _, pair := range display.Differences(j.gate, r.Pairs, false) {
		if j.gate.Allows(r, pair) {
			allowed = append(allowed, pair)
		} else {
			failing = append(failing, pair)
		}
	}
	fails, allows = junitPairLines(r, failing), junitPairLines(r, allowed)
	if j.gate.AllowsUnmet() {
		allows = append(allows, junitUnmet(r)...)
	} else {
		fails = append(fails, junitUnmet(r)...)
	}
	for _, lines := range [][]string{fails, allows} {
		if len(lines) > 0 && r.Effect.ChangesVerdict() {
			lines[0] = string(r.Effect) + ": " + lines[0]
		}
	}
	for i := range allows {
		allows[i] = "allowed by " + summary.GateFlag(j.gate) + ": " + allows[i]
	}
	return fails, allows
}

func junitPairLines(r harness.Result, shown []equivalence.Pair) []string {
	var lines []string
	more := max(0, len(shown)-junitPairs)
	for _, pair := range shown[:len(shown)-more] {
		lines = append(lines, display.DifferenceLine(r.Sides, pair))
	}
	if more > 0 {
		lines = append(lines, plaintext.More(more))
	}
	return lines
}

func junitUnmet(r harness.Result) []string {
	var lines []string
	for _, text := range r.Unmet[:min(len(r.Unmet), junitPairs)] {
		lines = append(lines, "unmet: "+display.Name(text))
	}
	if more := len(r.Unmet) - junitPairs; more > 0 {
		lines = append(lines, plaintext.More(more))
	}
	return lines
}

// failureKind groups failures in viewers of JUnit: by their effect on users of the API, or else by
// the result.
func failureKind(r harness.Result) string {
	switch {
	case r.Effect.ChangesVerdict():
		return string(r.Effect)
	case r.Verdict == harness.Different || r.Verdict == harness.Unstable || r.Verdict == harness.Ratcheting:
		return string(r.Verdict)
	}
	return "unmet"
}
