package harness

import (
	"slices"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/fieldpath"
)

// comparison is what two backends said of an input.
type comparison struct {
	native, declarative Outcome
	at                  placing
	subject             equivalence.Subject
	// declared is the schema of the whole kind.
	declared equivalence.Declarations
}

// match pairs what two backends said, as far as it is compared, and looks for the
// exceptions that accept what differs. No pair is left of two refusals if only verdicts
// are compared.
func (h *Harness) match(c comparison) []equivalence.Pair {
	native, declarative, subject := c.native, c.declarative, c.subject
	if h.options.Compare == CompareVerdict && native.refuses() && declarative.refuses() && !native.inconsistent && !declarative.inconsistent {
		return nil
	}
	nativeAnswer, declarativeAnswer := native.answer(), declarative.answer()
	restore := c.at.inKind(&nativeAnswer, &declarativeAnswer)
	pairs := h.matchers[subject.GroupVersionKind].MatchAnswers(nativeAnswer, declarativeAnswer, c.declared)
	if h.options.Compare == CompareCovered {
		pairs = covered(pairs)
	}
	if h.options.Self != "" {
		markUnstable(pairs) // whatever differs, the backend has contradicted itself
	}
	pairs = h.options.Exceptions.Explain(subject, pairs)
	if len(native.Unstable)+len(declarative.Unstable) > 0 {
		// What else the other side says may be what this one says the next time.
		markUnstable(pairs)
		pairs = h.options.Exceptions.Explain(subject, pairs)
	}
	restore(pairs)
	return pairs
}

// covered leaves out the native errors that are not marked, after they were paired:
// what matches an error that is left out is not an error too many, and what only resembles
// it is. Of an error that is marked at one of the places where it is reported, the others
// do not count.
func covered(pairs []equivalence.Pair) []equivalence.Pair {
	var kept []equivalence.Pair
	for _, pair := range pairs {
		switch unmarked := pair.Native != nil && pair.NativeCovered == 0; {
		case unmarked && (pair.Declarative == nil || pair.Agrees() || pair.Class == equivalence.Count):
			continue
		case unmarked && pair.Class != equivalence.Unstable:
			pair = equivalence.Pair{Declarative: pair.Declarative, DeclarativeCount: pair.DeclarativeCount, Class: equivalence.TooStrict}
		case pair.Class == equivalence.Count && pair.NativeCount > pair.DeclarativeCount && pair.NativeCovered <= pair.DeclarativeCount:
			pair.Class, pair.NativeCount = "", pair.NativeCovered
		}
		kept = append(kept, pair)
	}
	slices.SortStableFunc(kept, func(a, b equivalence.Pair) int {
		return fieldpath.Compare(a.Field(), b.Field())
	})
	return kept
}

func (o Outcome) answer() equivalence.Answer {
	return equivalence.Answer{Steady: o.Errors, Unstable: o.Unstable, Unchecked: o.unchecked, Unratcheted: o.unratcheted}
}

// markUnstable marks every unexplained difference as unstable.
func markUnstable(pairs []equivalence.Pair) {
	for i := range pairs {
		if !pairs[i].Explained() {
			pairs[i].Class, pairs[i].Rule = equivalence.Unstable, nil
		}
	}
}
