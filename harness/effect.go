package harness

import (
	"slices"

	"github.com/diffrun/diffrun/equivalence"
)

// Effect is what an API user would notice on one input if the schema replaced the native validator:
// whether only one side refuses it.
type Effect string

const (
	// NoEffect: both sides accept the input, or both refuse it, with any errors.
	NoEffect Effect = "none"
	// Admits: the schema side accepts what the native side refuses.
	Admits Effect = "admits"
	// Refuses: the schema side refuses what the native side accepts.
	Refuses Effect = "refuses"
	// Stuck: the schema side refuses a StoredRequest that the native side accepts, so nobody can repair
	// or delete an object that is stored already.
	Stuck Effect = "stuck"
)

// Effects lists all effects, the most urgent first. The effect of an input that was not decided is
// empty: it is a fault, or inexpressible, or a repeat changed the verdict.
func Effects() []Effect { return []Effect{Stuck, Admits, Refuses, NoEffect} }

// ChangesVerdict reports whether the user of the API notices the effect.
func (e Effect) ChangesVerdict() bool { return e == Stuck || e == Admits || e == Refuses }

// effect compares the verdicts of the two sides. It does not ask whether rules or
// exceptions explain their errors.
func (h *Harness) effect(r *Result) Effect {
	if r.Fault != nil || r.Inexpressible != "" || r.Native.Fault != nil || r.Declarative.Fault != nil {
		return ""
	}
	native, declarative := r.Native.refuses(), r.Declarative.refuses()
	if h.options.Compare == CompareCovered && uncovered(r.Native) {
		declarative = native // errors that the schema does not cover remain
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
	case r.Stored != "":
		return Stuck
	}
	return Refuses
}

// EffectOf returns the effect of one difference of an input. It is that of the input, except for differences
// that do not affect the verdicts: values of fields, and other errors of an update that the schema accepts
// because of ratcheting alone (Result.Ratcheted).
func (r *Result) EffectOf(pair equivalence.Pair) Effect {
	ratcheted := r.Effect == Admits && r.Ratcheted && pair.Class != equivalence.Ratcheting
	if r.Effect != "" && (pair.Class.OfValues() || ratcheted) {
		return NoEffect
	}
	return r.Effect
}

// OpenEffect returns the effect that nothing explains: none, if rules, exceptions or ratcheting explain why
// the verdicts differ. It is empty if the input was not decided, or has no unexplained difference.
func (r *Result) OpenEffect() Effect {
	switch {
	case r.Verdict != Different && r.Verdict != Unstable:
		return ""
	case r.Effect == Admits && r.Ratcheted:
		return NoEffect
	}
	return r.Effect
}

// explainsAdmits reports whether ratcheting explains why the schema accepts an update that native refuses:
// without it, the schema would report an error for a mistake that native reports, too. The old object has it.
func (r *Result) explainsAdmits() bool {
	return r.Effect == Admits && slices.ContainsFunc(r.Pairs, func(p equivalence.Pair) bool { return p.Class == equivalence.Ratcheting || p.Dropped != nil })
}

// refuses reports whether the backend returned an error.
func (o Outcome) refuses() bool { return len(o.Errors)+len(o.Unstable) > 0 }

// uncovered reports whether an error is not marked CoveredByDeclarative.
func uncovered(o Outcome) bool {
	for _, err := range o.Errors {
		if !err.CoveredByDeclarative {
			return true
		}
	}
	return false
}
