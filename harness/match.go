package harness

import (
	"slices"

	"github.com/diffrun/diffrun/equivalence"
)

// match pairs what two backends said, as far as it is compared.
func (h *Harness) match(native, declarative Outcome) []equivalence.Pair {
	pairs := h.matcher.Match(native.Errors, declarative.Errors)
	if h.options.Compare == CompareCovered {
		// Only now: what matches an error that is left out is no error too many.
		pairs = slices.DeleteFunc(pairs, func(pair equivalence.Pair) bool {
			return pair.Native != nil && !pair.Native.CoveredByDeclarative
		})
	}
	for _, err := range native.Unstable {
		pairs = append(pairs, equivalence.Pair{Native: err, Class: equivalence.Unstable})
	}
	for _, err := range declarative.Unstable {
		pairs = append(pairs, equivalence.Pair{Declarative: err, Class: equivalence.Unstable})
	}
	return pairs
}
