package ci

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/causetext"
	"github.com/diffrun/diffrun/internal/findings/gate"
	"github.com/diffrun/diffrun/internal/text/ciformats"
	"github.com/diffrun/diffrun/reports/internal/display"
	"github.com/diffrun/diffrun/reports/internal/summary"
)

// sarif writes what needs attention as SARIF 2.1.0. Code hosts show it beside the lines of a
// change. Each difference, fault, expectation that is not met, and problem of the run is a result
// at the line of the case.
type sarif struct {
	out  io.Writer
	gate gate.Gate
	log  *ciformats.SARIFLog
}

// NewSARIF returns a reporter that writes SARIF to w.
func NewSARIF(w io.Writer) summary.Reporter { return &sarif{out: w} }

const (
	sarifFault   = "fault"
	sarifUnmet   = "unmet"
	sarifProblem = "problem"
)

// sarifRules returns the kinds of results: the classes of differences, and the other reasons why a
// run fails.
func sarifRules(sides harness.Sides) []ciformats.Rule {
	first, _ := sides.Titles()
	agree := "Make " + summary.Both(sides) + " agree, or accept a reviewed difference in the exceptions file of the suite."
	helps := map[difference.Class]string{
		difference.Default: "Declare the default (+default), or say in an exception on which other fields it depends.",
		difference.Result: "Let both sides mutate, default and prune alike, or accept a reviewed difference in the exceptions " +
			"file of the suite.",
		difference.Unstable:   "The validator ranges over a map or keeps state: fix that first.",
		difference.Ratcheting: "It is listed if --fail-on names it. Without that, ratcheting explains the difference.",
	}
	var rules []ciformats.Rule
	for _, class := range difference.Classes() {
		rules = append(rules, ciformats.Rule{
			ID: string(class), Short: causetext.ClassText(sides, class), Help: cmp.Or(helps[class], agree),
		})
	}
	rules = append(rules, []ciformats.Rule{
		{ID: sarifFault, Short: "there is no verdict about an input", Help: "Correct the case or the backend that the fault names."},
		{ID: sarifUnmet, Short: first + " does not return the errors that the case wants",
			Help: "Correct the want of the case, or find out what changed."},
		{ID: sarifProblem, Short: "the run proves less than it seems to", Help: "Clear the problem."},
	}...)
	for i := range rules {
		rules[i].Level = ciformats.Error
	}
	return rules
}

func (s *sarif) Begin(header summary.Header) error {
	s.gate = header.Gate
	log, err := ciformats.SARIF{Version: header.Version, Rules: sarifRules(header.Sides)}.Begin(s.out)
	s.log = log
	return sarifFailed(err)
}

func sarifFailed(err error) error {
	if err != nil {
		return fmt.Errorf("writing the SARIF report: %w", err)
	}
	return nil
}

func (s *sarif) Result(r harness.Result) error {
	file, line := causetext.Source(r.Case.Source)
	made := ciformats.Result{File: file, Line: line, Level: ciformats.Error}
	var declared []ciformats.Declared
	add := func(rule, text, place, identity string) error {
		made.Rule, made.Place, made.Declared = rule, place, declared
		made.Message = display.Name(r.Case.ID) + ": " + text
		if target := display.Target(r); target != "" {
			made.Message += " (" + display.Name(target) + ")"
		}
		made.Identity = strings.Join([]string{r.Suite, display.Target(r), r.Case.ID, rule, place, identity}, "\n")
		return sarifFailed(s.log.Result(made))
	}
	for of, fault := range r.Faults() {
		text := "fault of " + r.Sides.Source(of) + ": " + fault.Error()
		if err := add(sarifFault, text, "", "fault of the "+of+": "+fault.Error()); err != nil {
			return err
		}
	}
	for _, pair := range display.Differences(s.gate, r.Pairs, false) {
		effect := r.EffectOf(pair)
		made.Level = levelOf(effect)
		text := display.DifferenceLine(r.Sides, pair)
		if effect.ChangesVerdict() {
			text = string(effect) + ": " + text
		}
		switch {
		case s.gate.Allows(r, pair):
			made.Level = ciformats.Warning
			text = "allowed by " + summary.GateFlag(s.gate) + ": " + text
		case len(s.gate) > 0: // it is named
			made.Level = ciformats.Error
		}
		declared = sarifDeclared(pair)
		if err := add(string(pair.Class), text, pair.Field(), display.Likeness(r, pair).Signature()); err != nil {
			return err
		}
	}
	declared = nil
	made.Level = ciformats.Error
	for _, text := range r.Unmet {
		shown := text
		if s.gate.AllowsUnmet() {
			made.Level = ciformats.Warning
			shown = "allowed by " + summary.GateFlag(s.gate) + ": " + text
		}
		if err := add(sarifUnmet, shown, "", text); err != nil {
			return err
		}
	}
	return nil
}

// sarifDeclared returns where the schema declares the error of a difference.
func sarifDeclared(pair equivalence.Pair) []ciformats.Declared {
	var all []ciformats.Declared
	for _, one := range pair.Declared {
		file, line := causetext.Source(one.Position)
		all = append(all, ciformats.Declared{Place: one.Place, File: file, Line: line})
	}
	return all
}

// levelOf returns a higher level for effects that users of the API notice.
func levelOf(effect words.Effect) ciformats.Level {
	if effect.ChangesVerdict() {
		return ciformats.Error
	}
	return ciformats.Warning
}

func (s *sarif) End(footer summary.Footer) error {
	problems := footer.Problems
	if footer.Incomplete {
		problems = append([]string{"the run ended before all cases were compared"}, problems...)
	}
	for _, problem := range problems {
		file, line, _ := causetext.ProblemPlace(problem)
		if err := s.log.Result(ciformats.Result{
			Rule:    sarifProblem,
			Level:   ciformats.Error,
			Message: problem,
			File:    file,
			Line:    line,
		}); err != nil {
			return sarifFailed(err)
		}
	}
	var notes []string
	if narrowed := summary.NarrowedSentence(footer); narrowed != "" {
		notes = append(notes, narrowed)
	}
	for _, left := range summary.LeftOutTexts(footer.LeftOut) {
		notes = append(notes, "Left out: "+left+", which has no such target.")
	}
	return sarifFailed(s.log.End(notes...))
}
