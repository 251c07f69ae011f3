package harness

import (
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
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
// that do not affect the verdicts: values of fields, and repeated errors of an update that the schema accepts
// because of ratcheting alone (Result.Ratcheted).
func (r *Result) EffectOf(pair equivalence.Pair) Effect {
	repeated := r.Effect == Admits && r.Ratcheted && pair.Class == difference.Count
	if r.Effect != "" && (pair.Class.OfValues() || repeated) {
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

// explainsAdmits reports whether ratcheting explains why the schema accepts an update that native refuses: the
// old object has the mistake, and nothing else made native refuse. One error that the schema lacks, or that only
// resembles a dropped one, is a hole, whatever else the old object has.
func (r *Result) explainsAdmits() bool {
	ratcheted := false
	for _, pair := range r.Pairs {
		switch {
		case pair.Class.OfValues():
		case !pair.Explained() && pair.Class != difference.Count: // the same error once more decides nothing
			return false
		case pair.Class == difference.Ratcheting || pair.Dropped != nil:
			ratcheted = true
		}
	}
	return ratcheted && r.Effect == Admits
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
