package run

import (
	"fmt"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/record"
)

// guardTallies counts what the guards of a suite did. It returns none if the run does not compare the
// two sides of the suite, because then not all guards are asked.
func (s *session) guardTallies(suite *cases.Suite) []record.GuardTally {
	all := []record.GuardTally{}
	if s.options.self != "" || s.options.checkRecorded || s.comparesOtherBackends(suite) {
		return all
	}
	first, second := s.sides(suite).Names()
	native, declarative := suite.Guards()
	for side, guards := range [][]contract.Guard{native, declarative} {
		for _, guard := range guards {
			asked, acted := s.summary.AskedOf(suite.Name, side, guard.Name)
			all = append(all, record.GuardTally{
				Backend: []string{first, second}[side], Name: guard.Name, Where: guard.Where, Purpose: guard.Purpose,
				Policy: len(guard.Parts) > 0,
				Asked:  asked, Acted: acted,
			})
		}
	}
	return all
}

// idleGuards returns a problem for each guard that proved nothing: no case reached it, or it let
// every case pass.
func idleGuards(tally record.Tally) []string {
	var problems []string
	for _, suite := range tally.Suites {
		if suite.Compared == 0 {
			continue // idleSuites reports it
		}
		for _, guard := range suite.Guards {
			if problem := guardProblem(guard); problem != "" {
				problems = append(problems,
					fmt.Sprintf("%s: %s of the %s side of %s %s", guard.Where, guard.Name, guard.Backend, suite.Where, problem))
			}
		}
	}
	return problems
}

// guardProblem returns the problem of a guard, or "".
func guardProblem(guard record.GuardTally) string {
	switch asked := plaintext.Count(guard.Asked, "input"); {
	case guard.Asked == 0:
		return "was asked about no input: each was refused before, or does not match it; add cases that reach it"
	case guard.Acted > 0 || guard.Purpose == words.ToWatch || mayBeEmpty(guard):
		return ""
	case guard.Purpose == words.ToChange:
		return "changed none of the " + asked + " that it was asked about; add cases that it must change"
	default:
		return "refused none of the " + asked + " that it was asked about; add cases that it must refuse"
	}
}

// mayBeEmpty reports whether a guard is a mutating webhook. Scaffolds have one whose defaulter is empty, and
// no case can show that it changes something. A mutating policy was written to change something.
func mayBeEmpty(guard record.GuardTally) bool {
	return guard.Purpose == words.ToChange && !guard.Policy
}

// guardNotes returns a note for each mutating webhook that was asked and changed nothing.
func guardNotes(tally record.Tally) []string {
	if tally.Chosen {
		return nil
	}
	var notes []string
	for _, suite := range tally.Suites {
		for _, guard := range suite.Guards {
			if mayBeEmpty(guard) && guard.Asked > 0 && guard.Acted == 0 {
				notes = append(notes, fmt.Sprintf("%s: %s of the %s side of %s changed none of the %s that it was asked about; "+
					"unless it is empty, add cases that it must change",
					guard.Where, guard.Name, guard.Backend, suite.Where, plaintext.Count(guard.Asked, "input")))
			}
		}
	}
	return notes
}
