package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/strictyaml"
)

// problems says what is wrong with a full run as a whole. A run of chosen
// cases leaves rules and exceptions unused, and backends silent, by design.
func (s *session) problems() []string {
	if s.summary.Cases == 0 {
		return append([]string{"no case was run"}, s.hollow()...)
	}
	if s.options.only != nil {
		return nil
	}
	problems := append(s.hollow(), s.silent()...)
	if s.options.narrowed() {
		return append(problems, s.uncovered()...)
	}
	return append(problems, s.stale()...)
}

// doubts ends the validators outside the process, and gives what they say then of answers
// that they gave before.
func (s *session) doubts() []string { return texts(s.plan.Close()) }

// texts gives the errors that one joins, each its own.
func texts(err error) []string {
	several, ok := err.(interface{ Unwrap() []error })
	switch {
	case err == nil:
		return nil
	case !ok:
		return []string{err.Error()}
	}
	var all []string
	for _, one := range several.Unwrap() {
		all = append(all, texts(one)...)
	}
	return all
}

// hollow names the files of cases that hold none: a generator that failed leaves them,
// and the files beside them would pass for all.
func (s *session) hollow() []string {
	var problems []string
	for _, file := range s.empty {
		problems = append(problems, file+": the file holds no case; fill it, or take it out of \"cases\" of the suite")
	}
	return problems
}

// uncovered finds that errors marked as covered were to be compared, and none is: a
// validator outside the process cannot mark any.
func (s *session) uncovered() []string {
	if harness.Compare(s.options.compare) != harness.CompareCovered || harness.Self(s.options.self) == harness.SelfDeclarative {
		return nil
	}
	native := 0
	for _, reported := range s.summary.Reported {
		if reported.Covered > 0 {
			return nil
		}
		native += reported.Native
	}
	return []string{fmt.Sprintf("--compare covered: none of the %d native errors is marked CoveredByDeclarative, so none was compared; "+
		"a program or webhook cannot mark its errors: compare all", native)}
}

// silent finds suites that compare nothing: without a case, or with a backend
// that rejects nothing, and so may not have looked.
func (s *session) silent() []string {
	var problems []string
	for _, suite := range s.plan.Suites {
		where := suite.File
		if suite.Set != "" {
			where += " [" + suite.Set + "]"
		}
		reported, ran := s.summary.Reported[suite.Name]
		if !ran && s.leftOut.has(suite.Name) {
			problems = append(problems, where+": each of its cases was left out, because the suite has no target for it")
			continue
		}
		if !ran {
			problems = append(problems, where+": no case was run; name files that hold some under \"cases\"")
			continue
		}
		if reported.Compared == 0 {
			problems = append(problems, where+": nothing was compared; each of its cases is a fault, or none of its versions can express it")
			continue
		}
		for _, side := range []struct {
			name string
			errs int
		}{{"native", reported.Native}, {"declarative", reported.Declarative}} {
			if side.errs == 0 {
				problems = append(problems, fmt.Sprintf("%s: the %s backend never reported an error, on no case; add cases that it must reject", where, side.name))
			}
		}
	}
	return problems
}

// stale finds rules and exceptions that must not stay as they are, as far as
// the run had a use for them.
func (s *session) stale() []string {
	foreign := s.foreign()
	var problems []string
	for _, finding := range s.ledger.Report() {
		offDuty := s.options.noExceptions
		switch finding.Kind {
		case equivalence.UnusedRule:
			offDuty = s.options.noRules || foreign[finding.Position]
		case equivalence.UnusedException:
			offDuty = s.options.noExceptions || foreign[finding.Position]
		}
		if !offDuty {
			problems = append(problems, finding.String())
		}
	}
	return problems
}

// foreign finds the exceptions and rules, by where they stand, that concern nothing
// of the run and may be there for a suite that was not asked for.
func (s *session) foreign() map[strictyaml.Position]bool {
	foreign := map[strictyaml.Position]bool{}
	ran := slices.Collect(maps.Keys(s.versions))
	for _, exception := range s.plan.SharedExceptions() {
		foreign[exception.Position] = !slices.ContainsFunc(ran, exception.Concerns)
	}
	for _, rule := range s.plan.SharedRules() {
		foreign[rule.Position] = !slices.ContainsFunc(ran, rule.Concerns)
	}
	return foreign
}
