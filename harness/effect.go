package harness

import (
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness/words"
)

// effect compares the verdicts of the two sides. It does not ask whether rules or
// exceptions explain their errors.
func (h *Harness) effect(r *Result) words.Effect {
	if r.Fault != nil || r.Inexpressible != "" || r.Native.Fault != nil || r.Declarative.Fault != nil {
		return ""
	}
	native, declarative := r.Native.refuses(), r.Declarative.refuses()
	if h.options.Compare == words.CompareCovered && uncovered(r.Native) {
		declarative = native // errors that the schema does not cover remain
	}
	switch {
	case r.Native.inconsistent || r.Declarative.inconsistent:
		return ""
	case native == declarative:
		return words.NoEffect
	case h.options.Self != "":
		return "" // the validator has contradicted itself
	case native:
		return words.Admits
	case r.Stored != "":
		return words.Stuck
	}
	return words.Refuses
}

// EffectOf returns the effect of one difference of an input. It is that of the input, except for differences
// that do not affect the verdicts: values of fields, and repeated errors of an update that the schema accepts
// because of ratcheting alone (Result.Ratcheted).
func (r *Result) EffectOf(pair equivalence.Pair) words.Effect {
	repeated := r.Effect == words.Admits && r.Ratcheted && pair.Class == difference.Count
	if r.Effect != "" && (pair.Class.OfValues() || repeated) {
		return words.NoEffect
	}
	return r.Effect
}

// OpenEffect returns the effect that nothing explains: none, if rules, exceptions or ratcheting explain why
// the verdicts differ. It is empty if the input was not decided, or has no unexplained difference.
func (r *Result) OpenEffect() words.Effect {
	switch {
	case r.Verdict != words.Different && r.Verdict != words.Unstable:
		return ""
	case r.Effect == words.Admits && r.Ratcheted:
		return words.NoEffect
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
	return ratcheted && r.Effect == words.Admits
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
