// Package gate decides which results fail a run.
package gate

import (
	"slices"
	"strings"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
)

// Gate lists what fails a run: effects that change a verdict, classes of differences, and unmet. With the
// empty Gate all of them do, except differences that ratcheting explains. Faults and problems of the run fail
// it with any Gate.
type Gate []string

const (
	// unmet is the word for unmet expectations of cases.
	unmet = "unmet"
	// problem and fault are words without an effect: a run with a problem or a fault fails
	// with any Gate.
	problem = "problem"
	fault   = "fault"
)

// Words returns all words of a Gate.
func Words() []string {
	var all []string
	for _, effect := range words.Effects() {
		if effect.ChangesVerdict() {
			all = append(all, string(effect))
		}
	}
	for _, class := range difference.Classes() {
		all = append(all, string(class))
	}
	return append(all, unmet, problem, fault)
}

// String returns the words as --fail-on takes them.
func (g Gate) String() string { return strings.Join(g, ",") }

// counts reports whether a word of a Gate fails a run.
func (g Gate) counts(word string) bool { return len(g) == 0 || slices.Contains(g, word) }

// Ratcheting reports whether g counts differences that ratcheting explains.
func (g Gate) Ratcheting() bool { return slices.Contains(g, string(difference.Ratcheting)) }

// Differs reports whether a pair is a difference that nothing explains.
func (g Gate) Differs(pair equivalence.Pair) bool {
	return !pair.Explained() || g.Ratcheting() && pair.Class.Explained()
}

// Allows reports whether a difference of a result does not fail the run.
func (g Gate) Allows(r harness.Result, pair equivalence.Pair) bool {
	return !g.counts(string(pair.Class)) && !g.countsEffect(r)
}

// AllowsUnmet reports whether unmet expectations do not fail the run.
func (g Gate) AllowsUnmet() bool { return !g.counts(unmet) }

// countsEffect reports whether the effect of a result fails the run. An effect that is explained does not.
func (g Gate) countsEffect(r harness.Result) bool { return g.names(r.OpenEffect()) }

// names reports whether an effect fails a run. A gate that counts refusals also counts those that leave
// an object stuck.
func (g Gate) names(effect words.Effect) bool {
	return effect.ChangesVerdict() && (g.counts(string(effect)) || effect == words.Stuck && g.counts(string(words.Refuses)))
}

// Fails reports whether a result fails the run.
func (g Gate) Fails(r harness.Result) bool {
	return r.Verdict == words.Faulted || g.FailsByDifference(r) || len(r.Unmet) > 0 && !g.AllowsUnmet()
}

// FailsByDifference reports whether a difference of a result fails the run.
func (g Gate) FailsByDifference(r harness.Result) bool {
	if g.countsEffect(r) {
		return true
	}
	return slices.ContainsFunc(r.Pairs, func(pair equivalence.Pair) bool { return g.Differs(pair) && g.counts(string(pair.Class)) })
}

// FailsOn reports whether a difference or an unmet expectation of any counted result fails the run.
func (g Gate) FailsOn(s harness.Summary) bool {
	for effect, n := range s.OpenEffects {
		if n > 0 && g.names(effect) {
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
