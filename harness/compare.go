package harness

import (
	"github.com/diffrun/diffrun/harness/contract"

	"context"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Compare compares the schema with errors that the test has from its own call of the hand-written
// function. It works like Test, but does not ask the native backend, and returns errs unchanged, so
// that it can wrap the call:
//
//	errs := both.Compare(t, harness.Case{Object: &job}, ValidateJob(&job, opts))
//
// The schema gets the same objects as the function: nothing is filled in. If the case has a
// Version, the function validated that version, and only it is compared.
//
// If something differs and the object is typed, Compare compares it again, as a request of a
// client: with defaults, and with the native backend of the target. A difference that disappears
// there is logged and does not fail t: a different function reports the error, or the API server
// never validates such an object.
func (h *Harness) Compare(t testing.TB, c Case, errs field.ErrorList) field.ErrorList {
	t.Helper()
	if failed(t, h.target.deletes(&c), h.target.compares(c.Version)) {
		return errs
	}
	results, err := h.CheckGiven(t.Context(), c.namedFor(t), errs)
	h.leaveToTest(t.Context(), results)
	h.report(t, results, err)
	return errs
}

// CheckGiven is Compare outside of tests: it returns the results.
func (h *Harness) CheckGiven(ctx context.Context, c Case, errs field.ErrorList) ([]Result, error) {
	var versions []Version
	for _, version := range h.target.Versions {
		if c.Version.Empty() || c.Version == version.GroupVersionKind {
			version.Native = fixedErrors(errs)
			versions = append(versions, version)
		}
	}
	return h.check(ctx, c, versions, nil)
}

// Without returns a result without the declarative errors that are paired with no native one and
// for which left returns true. It decides verdict and effect again.
func (h *Harness) Without(r Result, left func(declarative *field.Error) bool) Result {
	pairs := r.Pairs
	r.Pairs, r.Declarative.Errors = nil, nil
	for _, pair := range pairs {
		if pair.Native == nil && left(pair.Declarative) {
			continue
		}
		r.Pairs = append(r.Pairs, pair)
		_, declared := pair.Counts()
		for range declared {
			r.Declarative.Errors = append(r.Declarative.Errors, pair.Declarative)
		}
	}
	r.Verdict, r.Effect = verdict(&r), h.effect(&r)
	return r
}

// fixedErrors is a native backend with a fixed answer.
type fixedErrors field.ErrorList

func (fixedErrors) Name() string { return contract.NativeName }

func (g fixedErrors) Validate(context.Context, *Input) (field.ErrorList, error) {
	return slices.Clone(field.ErrorList(g)), nil
}
