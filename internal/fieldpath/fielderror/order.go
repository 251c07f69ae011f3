package fielderror

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath"
)

// Sort puts errors in the order of Compare.
func Sort(errs field.ErrorList) { slices.SortStableFunc(errs, Compare) }

// Canonical returns the errors of one side sorted by Compare. Validators that range over a map return
// errors in random order; results must not. A nil entry becomes an empty error: it is a mistake of the
// validator and must not vanish. The argument is not changed.
func Canonical(errs field.ErrorList) field.ErrorList {
	if len(errs) == 0 {
		return nil
	}
	sorted := make(field.ErrorList, len(errs))
	for i, err := range errs {
		sorted[i] = cmp.Or(err, &field.Error{})
	}
	Sort(sorted)
	return sorted
}

// Compare is the canonical order of errors: by field, type, text and value. Any other difference orders
// errors that are equal in these.
func Compare(a, b *field.Error) int {
	if order := ComparePlaces(a, b); order != 0 {
		return order
	}
	if order := strings.Compare(strings.TrimSpace(a.Detail), strings.TrimSpace(b.Detail)); order != 0 {
		return order
	}
	// Errors rarely get this far, and values may be large.
	if order := strings.Compare(ReadValue(a.BadValue).Identity(), ReadValue(b.BadValue).Identity()); order != 0 {
		return order
	}
	return cmp.Or(strings.Compare(a.Field, b.Field), strings.Compare(a.Detail, b.Detail), strings.Compare(a.Origin, b.Origin))
}

// ComparePlaces is the part of the order that also holds between the errors of two
// validators: field, type and text.
func ComparePlaces(a, b *field.Error) int {
	if order := fieldpath.Compare(a.Field, b.Field); order != 0 {
		return order
	}
	return cmp.Or(strings.Compare(string(a.Type), string(b.Type)), strings.Compare(Text(a), Text(b)))
}

// Text returns the text of an error without surrounding white space and without the name of its own
// field, which kube-openapi writes in front ("spec.replicas in body "). A text that names another field
// keeps that name, so the two texts stay different.
func Text(err *field.Error) string {
	text := strings.TrimSpace(err.Detail)
	rest, found := strings.CutPrefix(text, fieldpath.Canonical(err.Field))
	if !found {
		return text
	}
	if rest, found = strings.CutPrefix(strings.TrimPrefix(rest, " "), "in body "); !found {
		return text
	}
	return rest
}
