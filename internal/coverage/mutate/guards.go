package mutate

import (
	"slices"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// guardPart names a part of a guard; an empty part is the guard itself.
type guardPart struct{ guard, part string }

// weakerGuard is a change to a policy. It implements change.
type weakerGuard struct{ *contract.WeakerGuard }

// names implements change.
func (w weakerGuard) names() (keyword, text string) { return guardKeyword(w.Part), w.Change }

// guardKeyword returns the list of a policy that has a part: "validations" for "validations[1]".
func guardKeyword(part string) string {
	for i, c := range part {
		if c == '[' || c == '.' {
			return part[:i]
		}
	}
	return part
}

// apply implements change.
func (w weakerGuard) apply(t *target) (harness.Backend, error) { return t.guarded.With(w.WeakerGuard) }

// concerns implements change. Whether an input still matches the rules of a policy shows only in its result.
func (w weakerGuard) concerns(result *harness.Result) bool {
	if !w.Unmatched {
		return false
	}
	return !slices.ContainsFunc(result.Declarative.Asked, func(a contract.Asked) bool { return slices.Contains(w.Guards, a.Guard) })
}

// collectGuards returns the mutants of the policies of all targets.
func collectGuards(targets []*target) []*mutant {
	var all []*mutant
	known := map[*contract.WeakerGuard]*mutant{}
	for _, t := range targets {
		if t.guarded == nil {
			continue
		}
		for _, weaker := range t.guarded.Weaker() {
			m := known[weaker]
			if m == nil {
				m = &mutant{change: weakerGuard{weaker}, path: weaker.Policy, declared: weaker.Where, distinct: weaker.Change}
				known[weaker] = m
				all = append(all, m)
			}
			m.useGuard(t, weaker)
		}
	}
	return all
}

// useGuard records the inputs of a target on which the part, or the whole policy, acted.
func (m *mutant) useGuard(t *target, weaker *contract.WeakerGuard) {
	part := weaker.Part
	if weaker.Unmatched {
		part = ""
	}
	u := use{target: t}
	for _, guard := range weaker.Guards {
		at := guardPart{guard, part}
		m.reached = m.reached || len(t.asked[at]) > 0
		for _, in := range t.acted[at] {
			if !slices.Contains(u.concerns, in) {
				u.concerns = append(u.concerns, in)
			}
		}
	}
	if !weaker.Unmatched {
		u.violations = len(u.concerns)
	}
	m.uses = append(m.uses, u)
}

// noteGuards records what the policies of a target did for an input.
func (t *target) noteGuards(in *input, asked []contract.Asked) {
	note := func(at guardPart, acted bool) {
		t.asked[at] = append(t.asked[at], in)
		if acted {
			t.acted[at] = append(t.acted[at], in)
		}
	}
	for _, guard := range asked {
		if !guard.Excluded {
			note(guardPart{guard.Guard, ""}, guard.Acted)
		}
		for _, part := range guard.Parts {
			note(guardPart{guard.Guard, part.Guard}, part.Acted)
		}
	}
}
