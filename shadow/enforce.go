package shadow

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
)

// enforced reports whether a declarative error refuses a request.
func (p powers) enforced(err *field.Error) bool {
	switch {
	case !p.enforce || err.IsAlpha():
		return false
	case err.IsBeta():
		return p.beta
	}
	return true
}

// decide returns the errors of a request. An enforced declarative error replaces the native error that
// means the same. The other native errors remain, except those that are marked as covered by a beta rule,
// if beta rules decide.
func (p powers) decide(native field.ErrorList, r *harness.Result) field.ErrorList {
	switch {
	case r.Fault != nil:
		return append(slices.Clone(native), field.InternalError(nil, r.Fault))
	case r.Declarative.Fault != nil:
		return append(slices.Clone(native), field.InternalError(nil, r.Declarative.Fault))
	case r.Inexpressible != "":
		return native
	}
	var errs field.ErrorList
	for _, pair := range r.Pairs {
		natives, declaratives := pair.Counts()
		enforced := pair.Declarative != nil && p.enforced(pair.Declarative)
		if enforced && pair.Native != nil && (pair.Agrees() || pair.Class == difference.Count) {
			natives = 0
		}
		if pair.Native != nil && pair.Native.CoveredByDeclarative && pair.Native.IsBeta() && p.beta {
			natives = 0
		}
		for range natives {
			errs = append(errs, pair.Native)
		}
		if enforced {
			for range declaratives {
				errs = append(errs, pair.Declarative)
			}
		}
	}
	return errs
}

// moved reports whether a declarative error needs no native one: its rule decides, and the hand-written
// code for it may have been removed.
func (p powers) moved(err *field.Error) bool {
	return p.enforced(err) && !err.IsBeta()
}
