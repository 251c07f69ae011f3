package shadow

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
)

// enforced says whether a declarative error refuses a request by itself.
func (p powers) enforced(err *field.Error) bool {
	switch {
	case !p.enforce || err.IsAlpha():
		return false
	case err.IsBeta():
		return p.beta
	}
	return true
}

// decide gives the errors of a request. A declarative error that is enforced replaces the
// native one that means the same. Native errors stay otherwise, but for those that are marked
// as covered by a rule of the stage beta, which decides alone.
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
		if enforced && pair.Native != nil && (pair.Agrees() || pair.Class == equivalence.Count) {
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

// moved says of a declarative error that no native one is expected: its rule decides, and the
// hand-written code of it may be gone.
func (p powers) moved(err *field.Error) bool {
	return p.enforced(err) && !err.IsBeta()
}
