package harness

import (
	"slices"

	"github.com/diffrun/diffrun/equivalence"
)

// Effect says what the user of the API would notice if the schema replaced the native
// validator: of one input, whether one side refuses it and the other one does not.
type Effect string

const (
	// NoEffect: both sides accept the input, or both refuse it, in whatever words.
	NoEffect Effect = "none"
	// Admits: the schema side accepts what the native side refuses.
	Admits Effect = "admits"
	// Refuses: the schema side refuses what the native side accepts.
	Refuses Effect = "refuses"
)

// Effects lists all effects, the most urgent first. The effect of an input that was not
// decided is empty: it is a fault, or inexpressible, or a validator that was asked again
// accepted it once and refused it once.
func Effects() []Effect { return []Effect{Admits, Refuses, NoEffect} }

// verdictChanges lists the effects that the user of the API notices.
func verdictChanges() []Effect { return []Effect{Admits, Refuses} }

// ChangesVerdict reports whether the user of the API notices the effect.
func (e Effect) ChangesVerdict() bool { return slices.Contains(verdictChanges(), e) }

// effect compares the verdicts of the two sides. It does not ask whether rules or
// exceptions explain their errors.
func (h *Harness) effect(r *Result) Effect {
	if r.Fault != nil || r.Inexpressible != "" || r.Native.Fault != nil || r.Declarative.Fault != nil {
		return ""
	}
	native, declarative := r.Native.refuses(), r.Declarative.refuses()
	if h.options.Compare == CompareCovered && uncovered(r.Native) {
		declarative = native // what the schema has not taken over goes on refusing
	}
	switch {
	case r.Native.inconsistent || r.Declarative.inconsistent:
		return ""
	case native == declarative:
		return NoEffect
	case h.options.Self != "":
		return "" // the validator has contradicted itself
	case native:
		return Admits
	}
	return Refuses
}

// EffectOf gives the effect of one difference of an input: that of the input, but for values of fields.
// They have no part in the verdicts, so an input is admitted or refused because of something else.
func (r *Result) EffectOf(pair equivalence.Pair) Effect {
	if pair.Class.OfValues() && r.Effect != "" {
		return NoEffect
	}
	return r.Effect
}

// refuses says that the backend reported an error.
func (o Outcome) refuses() bool { return len(o.Errors)+len(o.Unstable) > 0 }

// uncovered says that an error is not marked CoveredByDeclarative.
func uncovered(o Outcome) bool {
	for _, err := range o.Errors {
		if !err.CoveredByDeclarative {
			return true
		}
	}
	return false
}
