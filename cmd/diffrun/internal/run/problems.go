package run

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/reports/record"
)

// tally returns the counts that problems are found in. Shards record theirs, and merge adds them up.
func (s *session) tally() record.Tally {
	tally := record.Tally{
		Cases: s.selection.cases, Digest: s.selection.digest.sum(), Own: s.selection.own.sum(), Files: s.plan.Digest,
		Chosen: s.options.Only != nil || s.options.Suites != nil, Narrowed: s.options.narrowed(),
		Covered:      s.options.Comparison.scope == words.CompareCovered && s.options.self != contract.DeclarativeName,
		NoRules:      s.options.noRules,
		NoExceptions: s.options.noExceptions,
		Broken:       sorted(s.selection.broken), Doubts: sorted(s.doubts()), Empty: sorted(s.selection.empty),
		Suites: []record.SuiteTally{}, Usages: s.ledger.Usages(),
	}
	if s.options.byFile() {
		tally.Cases = 0 // shards do not know the cases of others
	}
	for _, suite := range s.plan.Suites {
		where := suite.File
		if suite.Set != "" {
			where += " [" + suite.Set + "]"
		}
		first, second := s.sides(suite).Names()
		reported, ran := s.summary.Reported[suite.Name]
		tally.Suites = append(tally.Suites, record.SuiteTally{
			Name: suite.Name, Where: where, Backends: [2]string{first, second}, Sides: suite.Sides, Ran: ran,
			LeftOut:  s.selection.noTarget.has(suite.Name) || s.selection.noGuard.has(suite.Name),
			Compared: reported.Compared, Native: reported.Native, Declarative: reported.Declarative, Covered: reported.Covered,
			Undefined: append([]record.UndefinedTally{}, s.undefined[suite.Name]...), Guards: s.guardTallies(suite),
		})
	}
	foreign := s.foreign()
	for i, usage := range tally.Usages {
		tally.Usages[i].Foreign = foreign[usage.Position()]
	}
	return tally
}

// sorted sorts texts, because shards meet them in different orders. The result is not nil: it is a
// list in JSON.
func sorted(all []string) []string { return append([]string{}, slices.Sorted(slices.Values(all))...) }

// ownProblems returns the problems that a shard or an interrupted run can know.
func ownProblems(tally record.Tally) []string {
	return append(slices.Clone(tally.Broken), tally.Doubts...)
}

// problemsOf returns the problems of a complete run as a whole. A run of selected cases leaves rules
// and exceptions unused, and backends without errors, by design; an exception that has expired, or
// accepts too much, and a field that does not exist are wrong in any run.
func problemsOf(tally record.Tally, cases int, refused *refusals) []string {
	problems := ownProblems(tally)
	if cases == 0 {
		return append(append(problems, "no case was run"), tally.Empty...)
	}
	problems = append(problems, undefinedFields(tally)...)
	if tally.Chosen {
		return append(problems, staleEntries(tally)...)
	}
	problems = slices.Concat(refused.problems(tally), problems, tally.Empty, idleSuites(tally), idleGuards(tally))
	if tally.Narrowed {
		problems = append(problems, uncovered(tally)...)
	}
	return append(problems, staleEntries(tally)...)
}

// doubts stops the validators outside the process, and returns which earlier answers of theirs are in
// doubt.
func (s *session) doubts() []string {
	var texts []string
	for _, err := range terminal.Errors(s.plan.Close()) {
		texts = append(texts, err.Error())
	}
	return texts
}

// uncovered returns a problem if errors marked as covered were to be compared, and none is marked. A
// validator outside the process cannot mark any.
func uncovered(tally record.Tally) []string {
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

// idleSuites returns a problem for each suite that compares nothing: it has no case, or a backend
// that rejects nothing and so may not validate at all.
func idleSuites(tally record.Tally) []string {
	var problems []string
	for _, suite := range tally.Suites {
		where := suite.Where
		if !suite.Ran && suite.LeftOut {
			problems = append(problems, where+": each of its cases was left out, because the suite has no target for it, "+
				"or no guard that can see it")
			continue
		}
		if !suite.Ran {
			problems = append(problems, where+": no case was run; name files that hold some under \"cases\"")
			continue
		}
		if suite.Compared == 0 {
			problems = append(problems, where+": nothing was compared; each of its cases is a fault, or none of its versions "+
				"can express it")
			continue
		}
		for _, side := range []struct {
			name string
			errs int
		}{{suite.Backends[0], suite.Native}, {suite.Backends[1], suite.Declarative}} {
			if side.errs == 0 {
				problems = append(problems, fmt.Sprintf("%s: %s never reported an error, on no case; add cases "+
					"that it must reject", where, suite.Sides.Backend(side.name)))
			}
		}
	}
	return problems
}

// staleEntries returns a problem for each rule and exception that must be changed or removed, as far as
// the run could use it.
func staleEntries(tally record.Tally) []string {
	byPosition := slices.SortedStableFunc(slices.Values(tally.Usages), func(a, b equivalence.Usage) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Rule+a.Exception, b.Rule+b.Exception))
	})
	var problems []string
	part := tally.Chosen || tally.Narrowed
	for _, usage := range byPosition {
		disabled := usage.Exception != "" && tally.NoExceptions || usage.Rule != "" && tally.NoRules
		if disabled || part && (usage.Unused() || usage.Foreign) || usage.Unused() && usage.Foreign {
			continue
		}
		if problem := usage.Problem(); problem != "" {
			problems = append(problems, problem)
		}
	}
	return problems
}

// foreign returns, by position, the exceptions and rules that concern nothing in the run and may be
// for a suite that did not run.
func (s *session) foreign() map[strictyaml.Position]bool {
	foreign := map[strictyaml.Position]bool{}
	ran := slices.Collect(maps.Keys(s.versions))
	for _, exception := range s.plan.SharedExceptions() {
		foreign[exception.Position] = !slices.ContainsFunc(ran, exception.AppliesTo)
	}
	for _, rule := range s.plan.SharedRules() {
		foreign[rule.Position] = !slices.ContainsFunc(ran, rule.AppliesTo)
	}
	return foreign
}
