package harness

import (
	"context"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Compare holds the schema against errors that the test has already, by its own call of the
// hand-written function with its own options. It does what Test does, but asks no native
// backend, and gives errs back as they are, so that it can stand around the call:
//
//	errs := both.Compare(t, harness.Case{Object: &job}, ValidateJob(&job, opts))
//
// The schema gets the objects as the function got them: nothing is filled in. If the case has
// a Version, the function was told that version, and no other is compared.
func (h *Harness) Compare(t testing.TB, c Case, errs field.ErrorList) field.ErrorList {
	t.Helper()
	var versions []Version
	for _, version := range h.target.Versions {
		if c.Version.Empty() || c.Version == version.GroupVersionKind {
			version.Native = given(errs)
			versions = append(versions, version)
		}
	}
	results, err := h.check(t.Context(), c.namedFor(t), versions, nil)
	h.report(t, results, err)
	return errs
}

// given is a native backend that has answered already.
type given field.ErrorList

func (given) Name() string { return "native" }

func (g given) Validate(context.Context, *Input) (field.ErrorList, error) {
	return slices.Clone(field.ErrorList(g)), nil
}
