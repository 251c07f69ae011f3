package equivalence

import "k8s.io/apimachinery/pkg/util/validation/field"

// Canonical gives the errors of one side in the order in which Match looks at
// them: by field, indices as numbers and a parent before its children, then by
// type, text and value. Validators that range over a map report in another order on
// each run; reports must not. The list that is given stays as it is.
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
