package equivalence

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Canonical returns the errors of one side sorted by field, with indices as numbers and a parent before
// its children, then by type, text and value. Validators that range over a map return errors in random
// order; results must not. The argument is not changed.
func Canonical(errs field.ErrorList) field.ErrorList {
	if len(errs) == 0 {
		return nil
	}
	sorted := make(field.ErrorList, 0, len(errs))
	for _, line := range normalize(errs) {
		sorted = append(sorted, line.err)
	}
	return sorted
}
