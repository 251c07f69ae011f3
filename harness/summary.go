package harness

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// Summary counts results. The zero value is ready to use.
type Summary struct {
	// Cases is the number of cases. Inputs is the number of their versions that were
	// compared or that ended in a fault.
	Cases, Inputs int
	Verdicts      map[words.Verdict]int
	// Classes counts the unexplained differences of each class, and those that ratcheting explains.
	Classes map[difference.Class]int
	// Effects counts the inputs of each effect.
	Effects map[words.Effect]int
	// OpenEffects counts those of them that have an unexplained difference. The others are accepted
	// by exceptions or are equivalent.
	OpenEffects map[words.Effect]int
	// Unmet counts the results whose native errors are not those that the case expects.
	Unmet int
	// Reported counts the errors of the backends, by suite.
	Reported map[string]contract.Reported
	// PrunedFields counts the fields of cases that their schemas do not have, and PrunedCases the
	// cases that had them. A case with a misspelt field proves less than it seems to.
	PrunedFields, PrunedCases int
	// Unguarded counts the inputs that a definition refused before any guard was asked.
	Unguarded int

	// Sides names the backends. For results of several pairs they are "first" and "second".
	Sides Sides

	last, lastPruned *Case
	asked            map[askedKey]askedCount
}

// Add counts a result. The results of one case must be added consecutively.
func (s *Summary) Add(r Result) {
	if s.Verdicts == nil {
		s.Verdicts, s.Classes, s.Reported = map[words.Verdict]int{}, map[difference.Class]int{}, map[string]contract.Reported{}
		s.Effects, s.OpenEffects = map[words.Effect]int{}, map[words.Effect]int{}
	}
	switch {
	case s.Inputs == 0:
		s.Sides = r.Sides
	case r.Verdict != words.Inexpressible:
		s.Sides = s.Sides.Joined(r.Sides)
	}
	if r.Case != s.last && len(r.Stuck) == 0 { // a stored object is that of a case
		s.Cases++
		s.last = r.Case
	}
	if r.Verdict != words.Inexpressible {
		s.Inputs++
	}
	s.Verdicts[r.Verdict]++
	if r.Effect != "" {
		s.Effects[r.Effect]++
		if open := r.OpenEffect(); open != "" {
			s.OpenEffects[open]++
		}
	}
	if len(r.Unmet) > 0 {
		s.Unmet++
	}
	if r.Unguarded {
		s.Unguarded++
	}
	s.addAsked(r)
	for _, pair := range r.Pairs {
		if !pair.Explained() || pair.Class.Explained() {
			s.Classes[pair.Class]++
		}
	}
	s.addPruned(r)
	reported := s.Reported[r.Suite]
	if r.Verdict != words.Inexpressible && r.Verdict != words.Faulted {
		reported.Compared++
	}
	reported.Native += len(r.Native.Errors) + len(r.Native.Unstable)
	reported.Declarative += len(r.Declarative.Errors) + len(r.Declarative.Unstable)
	for _, list := range []field.ErrorList{r.Native.Errors, r.Native.Unstable} {
		for _, err := range list {
			if err.CoveredByDeclarative {
				reported.Covered++
			}
		}
	}
	s.Reported[r.Suite] = reported
}

// addPruned counts the pruned fields of a case once, however many versions were compared.
func (s *Summary) addPruned(r Result) {
	fields := 0
	for _, omission := range r.Omitted {
		if omission.Why == words.Pruned {
			fields++
		}
	}
	if fields == 0 || r.Case == s.lastPruned {
		return
	}
	s.lastPruned = r.Case
	s.PrunedCases++
	s.PrunedFields += fields
}
