package run

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/reports/record"
)

// narrowings returns the flags that keep the run from comparing all cases and errors, or turn off
// what explains differences. If the run ended early, the number of cases is unknown.
func (s *session) narrowings(complete bool) []record.Narrowing {
	o := s.options
	var all []record.Narrowing
	add := func(given bool, flag, what string) {
		if given {
			all = append(all, record.Narrowing{Flag: flag, What: what})
		}
	}
	if s.found != nil {
		all = append(all, s.found.What)
	}
	if o.Only != nil {
		all = append(all, selectedCases("--run "+o.Only.String(), s.selection.cases, s.selection.notSelected, complete))
	}
	if o.checkRecorded {
		recorded := selectedCases("--check-recorded", s.selection.cases, s.selection.notRecorded, complete)
		recorded.What = "recorded errors in place of the schema"
		all = append(all, recorded)
	}
	add(o.noRules, "--no-rules", "no rule made errors equivalent")
	add(o.noExceptions, "--no-exceptions", "no exception accepted a difference")
	var compared []string
	switch o.Comparison.scope {
	case words.CompareCovered:
		compared = append(compared, "of the native errors only those marked as covered")
	case words.CompareVerdict:
		compared = append(compared, "only whether both sides accept or refuse")
	}
	if o.Comparison.sides != (harness.Sides{}) {
		first, second := o.Comparison.sides.Names()
		compared = append(compared, "only the backends "+first+" and "+second)
	}
	add(len(compared) > 0, "--compare "+o.Comparison.text, strings.Join(compared, ", "))
	add(o.by == byOrigin, "--by "+o.by, "errors of one origin are equivalent, whatever their texts are")
	add(o.self != "", "--self "+o.self, "only the "+o.self+" validator, compared with itself")
	return all
}

// narrowingTexts returns narrowings for people.
func narrowingTexts(all []record.Narrowing) []string {
	var texts []string
	for _, one := range all {
		texts = append(texts, one.String())
	}
	return texts
}

// selectedCases returns the narrowing of a flag that selects cases.
func selectedCases(flag string, selected, others int, complete bool) record.Narrowing {
	if !complete {
		return record.Narrowing{Flag: flag, What: "not all cases"}
	}
	return record.Narrowing{Flag: flag, Cases: selected, Of: selected + others}
}

// joinNarrowings joins the narrowings of two shards. Shards of whole files counted different cases;
// all others counted the same.
func joinNarrowings(all, more []record.Narrowing, byFile bool) ([]record.Narrowing, error) {
	if len(all) != len(more) {
		return nil, errors.New("the shards were narrowed by different flags")
	}
	joined := slices.Clone(all)
	for i, one := range more {
		if joined[i].Flag != one.Flag {
			return nil, fmt.Errorf("the shards were narrowed by different flags, %s and %s", joined[i].Flag, one.Flag)
		}
		if byFile {
			joined[i].Cases += one.Cases
			joined[i].Of += one.Of
		}
	}
	return joined, nil
}
