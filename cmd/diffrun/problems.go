package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/reports"
)

// tally is what the run counted, and what its shards count together.
func (s *session) tally() reports.Tally {
	tally := reports.Tally{
		Cases: s.cases, Digest: s.digest.sum(), Files: s.plan.Digest, Chosen: s.options.only != nil, Narrowed: s.options.narrowed(),
		Covered:      s.options.scope == harness.CompareCovered && harness.Self(s.options.self) != harness.SelfDeclarative,
		NoRules:      s.options.noRules,
		NoExceptions: s.options.noExceptions,
		Broken:       inOrder(s.broken), Doubts: inOrder(s.doubts()), Empty: inOrder(s.empty),
		Suites: []reports.SuiteTally{}, Usages: s.ledger.Usages(),
	}
	if s.options.byFile() {
		tally.Cases = 0 // other shards do not know them
	}
	for _, suite := range s.plan.Suites {
		where := suite.File
		if suite.Set != "" {
			where += " [" + suite.Set + "]"
		}
		first, second := s.sides(suite).Names()
		reported, ran := s.summary.Reported[suite.Name]
		tally.Suites = append(tally.Suites, reports.SuiteTally{
			Name: suite.Name, Where: where, Backends: [2]string{first, second}, Ran: ran, LeftOut: s.leftOut.has(suite.Name),
			Compared: reported.Compared, Native: reported.Native, Declarative: reported.Declarative, Covered: reported.Covered,
			Guards: s.guardTallies(suite),
		})
	}
	foreign := s.foreign()
	for i, usage := range tally.Usages {
		tally.Usages[i].Foreign = foreign[usage.Position()]
	}
	return tally
}

// inOrder sorts texts: parts of a run meet what they say in another order.
func inOrder(all []string) []string {
	sorted := append([]string{}, all...) // not nil: a list in JSON
	slices.Sort(sorted)
	return sorted
}

// ownProblems are those that a part of a run knows: an interrupted run, or a shard.
func ownProblems(tally reports.Tally) []string {
	return append(slices.Clone(tally.Broken), tally.Doubts...)
}

// problemsOf says what is wrong with a full run as a whole, which ran some cases. A run of
// chosen cases leaves rules and exceptions unused, and backends silent, by design; an exception
// that has expired, or accepts too much, is wrong in any run.
func problemsOf(tally reports.Tally, cases int) []string {
	problems := ownProblems(tally)
	if cases == 0 {
		return append(append(problems, "no case was run"), hollow(tally)...)
	}
	if tally.Chosen {
		return append(problems, stale(tally)...)
	}
	problems = append(append(append(problems, hollow(tally)...), silent(tally)...), idle(tally)...)
	if tally.Narrowed {
		problems = append(problems, uncovered(tally)...)
	}
	return append(problems, stale(tally)...)
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
func hollow(tally reports.Tally) []string {
	var problems []string
	for _, file := range tally.Empty {
		problems = append(problems, file+": the file holds no case; fill it, or take it out of \"cases\" of the suite")
	}
	return problems
}

// uncovered finds that errors marked as covered were to be compared, and none is: a
// validator outside the process cannot mark any.
func uncovered(tally reports.Tally) []string {
	if !tally.Covered {
		return nil
	}
	native := 0
	for _, suite := range tally.Suites {
		if suite.Covered > 0 {
			return nil
		}
		native += suite.Native
	}
	return []string{fmt.Sprintf("--compare covered: none of the %d native errors is marked CoveredByDeclarative, so none was compared; "+
		"a program or webhook cannot mark its errors: compare all", native)}
}

// silent finds suites that compare nothing: without a case, or with a backend
// that rejects nothing, and so may not have looked.
func silent(tally reports.Tally) []string {
	var problems []string
	for _, suite := range tally.Suites {
		where := suite.Where
		if !suite.Ran && suite.LeftOut {
			problems = append(problems, where+": each of its cases was left out, because the suite has no target for it")
			continue
		}
		if !suite.Ran {
			problems = append(problems, where+": no case was run; name files that hold some under \"cases\"")
			continue
		}
		if suite.Compared == 0 {
			problems = append(problems, where+": nothing was compared; each of its cases is a fault, or none of its versions can express it")
			continue
		}
		for _, side := range []struct {
			name string
			errs int
		}{{suite.Backends[0], suite.Native}, {suite.Backends[1], suite.Declarative}} {
			if side.errs == 0 {
				problems = append(problems, fmt.Sprintf("%s: the %s backend never reported an error, on no case; add cases that it must reject", where, side.name))
			}
		}
	}
	return problems
}

// stale finds rules and exceptions that must not stay as they are, as far as
// the run had a use for them.
func stale(tally reports.Tally) []string {
	foreign := map[strictyaml.Position]bool{}
	for _, usage := range tally.Usages {
		foreign[usage.Position()] = usage.Foreign
	}
	var problems []string
	part := tally.Chosen || tally.Narrowed
	for _, finding := range equivalence.Findings(tally.Usages) {
		offDuty := tally.NoExceptions || part && foreign[finding.Position]
		switch finding.Kind {
		case equivalence.UnusedRule:
			offDuty = part || tally.NoRules || foreign[finding.Position]
		case equivalence.UnusedException:
			offDuty = part || tally.NoExceptions || foreign[finding.Position]
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
