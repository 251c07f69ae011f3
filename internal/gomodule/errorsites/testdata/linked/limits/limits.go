// Package limits is a validator that is linked into a program.
package limits

import "k8s.io/apimachinery/pkg/util/validation/field"

// Validate validates a number.
func Validate(n int) (errs field.ErrorList) {
	path := field.NewPath("n")
	if n < 0 {
		errs = append(errs, field.Invalid(path, n, "must not be negative"))
	}
	if n == 42 {
		errs = append(errs, field.Forbidden(path, "is taken"))
	}
	return errs
}
