package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/reports"
)

// narrowings says which flags keep the run from comparing all cases and errors, or turn off what
// explains differences. If the run ended early, nobody knows how many cases there are.
func (s *session) narrowings(complete bool) []reports.Narrowing {
	o := s.options
	var all []reports.Narrowing
	add := func(given bool, flag, what string) {
		if given {
			all = append(all, reports.Narrowing{Flag: flag, What: what})
		}
	}
	if o.only != nil {
		all = append(all, chosenCases("--run "+o.only.String(), s.cases, s.unchosenCases, complete))
	}
	if o.checkRecorded {
		recorded := chosenCases("--check-recorded", s.cases, s.unrecorded, complete)
		recorded.What = "recorded errors in place of the schema"
		all = append(all, recorded)
	}
	add(o.noRules, "--no-rules", "no rule made errors equivalent")
	add(o.noExceptions, "--no-exceptions", "no exception accepted a difference")
	scope, backends := "", ""
	if o.comparing.sides != (harness.Sides{}) {
		first, second := o.comparing.sides.Names()
		backends = "only the backends " + first + " and " + second
	}
	switch o.comparing.scope {
	case harness.CompareCovered:
		scope = "of the native errors only those marked as covered"
	case harness.CompareVerdict:
		scope = "only whether both sides accept or refuse"
	}
	what := strings.Join(slices.DeleteFunc([]string{scope, backends}, func(text string) bool { return text == "" }), ", ")
	add(what != "", "--compare "+o.compare, what)
	add(o.by == byOrigin, "--by "+o.by, "errors of one origin are equivalent, whatever they say")
	add(o.self != "", "--self "+o.self, "only the "+o.self+" validator, compared with itself")
	return all
}

// narrowingTexts gives narrowings for people.
func narrowingTexts(all []reports.Narrowing) []string {
	var texts []string
	for _, one := range all {
		texts = append(texts, one.String())
	}
	return texts
}

// chosenCases says that a flag left some cases of all.
func chosenCases(flag string, cases, others int, complete bool) reports.Narrowing {
	if !complete {
		return reports.Narrowing{Flag: flag, What: "not all cases"}
	}
	return reports.Narrowing{Flag: flag, Cases: cases, Of: cases + others}
}

// joinNarrowings adds up the cases that flags left in the shards of a run. Shards that have whole
// files counted other cases; others counted the same.
func joinNarrowings(all, more []reports.Narrowing, byFile bool) ([]reports.Narrowing, error) {
	if len(all) != len(more) {
		return nil, fmt.Errorf("the shards were narrowed by other flags")
	}
	joined := slices.Clone(all)
	for i, one := range more {
		if joined[i].Flag != one.Flag {
			return nil, fmt.Errorf("the shards were narrowed by other flags, %s and %s", joined[i].Flag, one.Flag)
		}
		if byFile {
			joined[i].Cases += one.Cases
			joined[i].Of += one.Of
		}
	}
	return joined, nil
}
