package harness

import (
	"slices"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/fieldpath"
)

// comparison holds the answers of two backends.
type comparison struct {
	native, declarative Outcome
	at                  placing
	subject             equivalence.Subject
	// declared is the schema of the whole kind.
	declared difference.Declarations
}

// match pairs the errors of two backends as far as they are compared, and applies the exceptions to
// the differences. It returns no pair for two refusals if only verdicts are compared.
func (h *Harness) match(c comparison) []equivalence.Pair {
	native, declarative, subject := c.native, c.declarative, c.subject
	if h.options.Compare == words.CompareVerdict && native.refuses() && declarative.refuses() && !native.inconsistent &&
		!declarative.inconsistent {
		return nil
	}
	nativeAnswer, declarativeAnswer := native.answer(), declarative.answer()
	restore := c.at.inKind(&nativeAnswer, &declarativeAnswer)
	pairs := h.matchers[subject.GroupVersionKind].MatchAnswers(nativeAnswer, declarativeAnswer, c.declared)
	if h.options.Compare == words.CompareCovered {
		pairs = covered(pairs)
	}
	if h.options.Self != "" {
		markUnstable(pairs) // whatever differs, the backend has contradicted itself
	}
	pairs = h.options.Exceptions.Explain(subject, pairs)
	if len(native.Unstable)+len(declarative.Unstable) > 0 {
		// An error that only one side reports may be reported by the other next time.
		markUnstable(pairs)
		pairs = h.options.Exceptions.Explain(subject, pairs)
	}
	restore(pairs)
	return pairs
}

// covered removes the native errors that are not marked, after pairing: a declarative error that
// matches a removed one is not too strict, but one that only resembles it is. If an error is
// reported several times, unmarked reports do not count.
func covered(pairs []equivalence.Pair) []equivalence.Pair {
	var kept []equivalence.Pair
	for _, pair := range pairs {
		switch unmarked := pair.Native != nil && pair.NativeCovered == 0; {
		case unmarked && (pair.Declarative == nil || pair.Agrees() || pair.Class == difference.Count):
			continue
		case unmarked && pair.Class != difference.Unstable:
			pair = equivalence.Pair{Declarative: pair.Declarative, DeclarativeCount: pair.DeclarativeCount, Class: difference.TooStrict}
		case pair.Class == difference.Count && pair.NativeCount > pair.DeclarativeCount && pair.NativeCovered <= pair.DeclarativeCount:
			pair.Class, pair.NativeCount = "", pair.NativeCovered
		}
		kept = append(kept, pair)
	}
	slices.SortStableFunc(kept, func(a, b equivalence.Pair) int {
		return fieldpath.Compare(a.Field(), b.Field())
	})
	return kept
}

func (o Outcome) answer() difference.Answer {
	return difference.Answer{Errors: o.Errors, Unstable: o.Unstable, Unchecked: o.unchecked, WithoutRatcheting: o.withoutRatcheting}
}

// markUnstable marks every unexplained difference as unstable.
func markUnstable(pairs []equivalence.Pair) {
	for i := range pairs {
		if !pairs[i].Explained() {
			pairs[i].Class, pairs[i].Rule = difference.Unstable, nil
		}
	}
}
