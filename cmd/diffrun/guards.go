package main

import (
	"fmt"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports"
)

// guardTallies counts what the guards of a suite did. A run that compares something else than the
// two sides of the suite does not ask all of them.
func (s *session) guardTallies(suite *cases.Suite) []reports.GuardTally {
	all := []reports.GuardTally{}
	if s.options.self != "" || s.options.checkRecorded || s.ofOtherBackends(suite) {
		return all
	}
	first, second := s.sides(suite).Names()
	native, declarative := suite.Guards()
	for side, guards := range [][]harness.Guard{native, declarative} {
		for _, guard := range guards {
			counted := s.summary.AskedOf(suite.Name, side, guard.Name)
			all = append(all, reports.GuardTally{
				Backend: []string{first, second}[side], Name: guard.Name, Where: guard.Where, Purpose: guard.Purpose,
				Asked: counted.Asked, Acted: counted.Acted,
			})
		}
	}
	return all
}

// idle finds guards that proved nothing: no case reached them, or they let every case pass.
func idle(tally reports.Tally) []string {
	var problems []string
	for _, suite := range tally.Suites {
		if suite.Compared == 0 {
			continue // which silent says
		}
		for _, guard := range suite.Guards {
			if why := guardProblem(guard); why != "" {
				problems = append(problems, fmt.Sprintf("%s: %s of the %s side of %s %s", guard.Where, guard.Name, guard.Backend, suite.Where, why))
			}
		}
	}
	return problems
}

// guardProblem says what is wrong with a guard; empty: nothing.
func guardProblem(guard reports.GuardTally) string {
	switch asked := plaintext.Count(guard.Asked, "input"); {
	case guard.Asked == 0:
		return "was asked about no input: each was refused before, or does not match it; add cases that reach it"
	case guard.Acted > 0 || guard.Purpose == harness.ToWatch:
		return ""
	case guard.Purpose == harness.ToChange:
		return "changed none of the " + asked + " that it was asked about; add cases that it must change"
	default:
		return "refused none of the " + asked + " that it was asked about; add cases that it must refuse"
	}
}
