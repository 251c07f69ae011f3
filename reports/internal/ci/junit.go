package ci

import (
	"fmt"
	"io"
	"strings"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/findings/causetext"
	"github.com/diffrun/diffrun/internal/findings/gate"
	"github.com/diffrun/diffrun/internal/sidebyside"
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
	several  bool // whether suites must be distinguished
	suites   []*ciformats.Suite
	byTarget map[summary.Key]*ciformats.Suite
	// meanings are the lines about classes and effects. Failures are kept until the end, so they share them.
	meanings map[meaning]string
}

// meaning is a class or an effect, with the sides that it is about.
type meaning struct {
	sides harness.Sides
	of    string
}

// meaningOf returns the line about a class or an effect.
func (j *junit) meaningOf(sides harness.Sides, of, text string) string {
	key := meaning{sides, of}
	if j.meanings[key] == "" {
		j.meanings[key] = of + ": " + text
	}
	return j.meanings[key]
}

// mostFailures limits the differences written for a case.
const mostFailures = 5

// NewJUnit returns a reporter that writes JUnit XML to w.
func NewJUnit(w io.Writer) summary.Reporter {
	return &junit{out: w, byTarget: map[summary.Key]*ciformats.Suite{}, meanings: map[meaning]string{}}
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
	test.File, test.Line = causetext.Source(r.Case.Source)
	test.Failures, test.Allowed = j.failures(r)
	if r.Verdict == words.Inexpressible {
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
		whole.Tests = append(whole.Tests, ciformats.Test{
			Name:  "complete",
			Class: whole.Name,
			Fault: "the run ended before all cases were compared",
		})
	}
	if len(footer.Problems) > 0 {
		shown, more := plaintext.First(footer.Problems)
		var problems []ciformats.Failure
		for _, problem := range shown {
			problems = append(problems, ciformats.Failure{Text: plaintext.Line(problem)})
		}
		if more > 0 {
			problems = append(problems, ciformats.Failure{Text: plaintext.More(more)})
		}
		whole.Tests = append(whole.Tests, ciformats.Test{Name: "problems", Class: whole.Name, Kind: "problem", Failures: problems})
	}
	for _, text := range footer.Narrowed {
		whole.Properties = append(whole.Properties, ciformats.Property{Name: "narrowed", Value: text})
	}
	for _, note := range footer.Notes {
		whole.Tests = append(whole.Tests, ciformats.Test{Name: "note", Class: whole.Name, Skipped: note})
	}
	if len(whole.Properties) > 0 {
		whole.Tests = append(whole.Tests,
			ciformats.Test{Name: "all that there is", Class: whole.Name, Skipped: summary.NarrowedSentence(footer)})
	}
	if len(j.gate) > 0 {
		whole.Properties = append(whole.Properties, ciformats.Property{Name: "fail-on", Value: j.gate.String()})
	}
	for _, left := range footer.LeftOut {
		whole.Tests = append(whole.Tests, ciformats.Test{
			Name: display.Name(left.Suite) + ": " + display.Name(left.Target), Class: whole.Name,
			Skipped: plaintext.Count(left.Cases, "case") + " left out: the suite has no such target",
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
		said = append(said, "fault of "+r.Sides.Source(of)+": "+plaintext.Line(fault.Error()))
	}
	return strings.Join(said, "; ")
}

// failures returns each difference and each expectation that is not met: those that fail the run, and
// those that its gate allows.
func (j *junit) failures(r harness.Result) (fails, allows []ciformats.Failure) {
	var failing, allowed []equivalence.Pair
	for _, pair := range display.Differences(j.gate, r.Pairs, false) {
		if j.gate.Allows(r, pair) {
			allowed = append(allowed, pair)
		} else {
			failing = append(failing, pair)
		}
	}
	fails, allows = j.pairs(r, failing), j.pairs(r, allowed)
	if j.gate.AllowsUnmet() {
		allows = append(allows, junitUnmet(r)...)
	} else {
		fails = append(fails, junitUnmet(r)...)
	}
	for _, failures := range [][]ciformats.Failure{fails, allows} {
		if len(failures) > 0 && r.Effect.ChangesVerdict() {
			prefix(&failures[0], string(r.Effect))
		}
	}
	for i := range allows {
		prefix(&allows[i], "allowed by "+summary.GateFlag(j.gate))
	}
	return fails, allows
}

// prefix puts words before a failure.
func prefix(failure *ciformats.Failure, words string) {
	failure.Text = words + ": " + failure.Text
	if len(failure.Lines) > 0 {
		failure.Lines[0] = words + ": " + failure.Lines[0]
	}
}

// pairs returns differences in one line each, with both errors and what the words mean below.
func (j *junit) pairs(r harness.Result, shown []equivalence.Pair) []ciformats.Failure {
	var failures []ciformats.Failure
	more := max(0, len(shown)-mostFailures)
	first, second := r.Sides.Labels()
	for _, pair := range shown[:len(shown)-more] {
		native, declarative := causes.Errors(pair)
		failure := ciformats.Failure{Text: display.DifferenceLine(r.Sides, pair), Lines: []string{
			string(pair.Class) + " at " + sidebyside.PairPlace(pair),
			first + ": " + display.SideLine(native, pair.Field()), second + ": " + display.SideLine(declarative, pair.Field()),
		}}
		failure.Lines = append(failure.Lines, j.meaningOf(r.Sides, string(pair.Class), causetext.ClassText(r.Sides, pair.Class)))
		if effect := r.EffectOf(pair); effect.ChangesVerdict() {
			failure.Lines = append(failure.Lines, j.meaningOf(r.Sides, string(effect), causetext.EffectText(r.Sides, effect)))
		}
		for _, declared := range pair.Declared {
			failure.Lines = append(failure.Lines, "declared by "+display.Declared(declared))
		}
		failures = append(failures, failure)
	}
	if more > 0 {
		failures = append(failures, ciformats.Failure{Text: plaintext.More(more)})
	}
	return failures
}

func junitUnmet(r harness.Result) []ciformats.Failure {
	var failures []ciformats.Failure
	for _, text := range r.Unmet[:min(len(r.Unmet), mostFailures)] {
		failures = append(failures, ciformats.Failure{Text: "unmet: " + display.Name(text)})
	}
	if more := len(r.Unmet) - mostFailures; more > 0 {
		failures = append(failures, ciformats.Failure{Text: plaintext.More(more)})
	}
	return failures
}

// failureKind groups failures in viewers of JUnit: by their effect on users of the API, or else by
// the result.
func failureKind(r harness.Result) string {
	switch {
	case r.Effect.ChangesVerdict():
		return string(r.Effect)
	case r.Verdict == words.Different || r.Verdict == words.Unstable || r.Verdict == words.Ratcheting:
		return string(r.Verdict)
	}
	return "unmet"
}
