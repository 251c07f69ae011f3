package harness

import (
	"slices"
	"strings"

	"github.com/diffrun/diffrun/equivalence"
)

// Gate lists what fails a run: effects that change a verdict, classes of differences, and
// gateUnmet. With the empty Gate all of them do, except what ratcheting explains. Faults and
// problems of the run fail it with any Gate.
type Gate []string

const (
	// gateUnmet is the word for unmet expectations of cases.
	gateUnmet = "unmet"
	// gateProblem and gateFault are words without an effect: a run with a problem or a fault fails
	// with any Gate.
	gateProblem = "problem"
	gateFault   = "fault"
)

// GateWords returns all words of a Gate.
func GateWords() []string {
	var all []string
	for _, effect := range verdictChanges() {
		all = append(all, string(effect))
	}
	for _, class := range equivalence.Classes() {
		all = append(all, string(class))
	}
	return append(all, gateUnmet, gateProblem, gateFault)
}

// String returns the words as --fail-on takes them.
func (g Gate) String() string { return strings.Join(g, ",") }

// counts reports whether a word of a Gate fails a run.
func (g Gate) counts(word string) bool { return len(g) == 0 || slices.Contains(g, word) }

// Ratcheting reports whether g counts differences that ratcheting explains.
func (g Gate) Ratcheting() bool { return slices.Contains(g, string(equivalence.Ratcheting)) }

// Differs reports whether a pair is a difference that nothing explains.
func (g Gate) Differs(pair equivalence.Pair) bool {
	return !pair.Explained() || g.Ratcheting() && pair.Class.Explained()
}

// Allows reports whether a difference of a result does not fail the run.
func (g Gate) Allows(r Result, pair equivalence.Pair) bool {
	return !g.counts(string(pair.Class)) && !g.countsEffect(r)
}

// AllowsUnmet reports whether unmet expectations do not fail the run.
func (g Gate) AllowsUnmet() bool { return !g.counts(gateUnmet) }

// countsEffect reports whether the effect of a result fails the run. The effect of an input
// without an unexplained difference does not.
func (g Gate) countsEffect(r Result) bool {
	return (r.Verdict == Different || r.Verdict == Unstable) && r.Effect.ChangesVerdict() && g.counts(string(r.Effect))
}

// Fails reports whether a result fails the run.
func (g Gate) Fails(r Result) bool {
	return r.Verdict == Faulted || len(r.Faults()) > 0 || g.FailsByDifference(r) || len(r.Unmet) > 0 && !g.AllowsUnmet()
}

// FailsByDifference reports whether a difference of a result fails the run.
func (g Gate) FailsByDifference(r Result) bool {
	if g.countsEffect(r) {
		return true
	}
	return slices.ContainsFunc(r.Pairs, func(pair equivalence.Pair) bool { return g.Differs(pair) && g.counts(string(pair.Class)) })
}

// FailsOn reports whether a difference or an unmet expectation of any counted result fails the run.
func (g Gate) FailsOn(s Summary) bool {
	for _, effect := range verdictChanges() {
		if s.OpenEffects[effect] > 0 && g.counts(string(effect)) {
			return true
		}
	}
	for class, n := range s.Classes {
		if n > 0 && g.counts(string(class)) && (!class.Explained() || g.Ratcheting()) {
			return true
		}
	}
	return s.Unmet > 0 && !g.AllowsUnmet()
}
