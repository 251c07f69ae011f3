// Package apis has an error of the shape of knative.dev/pkg/apis, which this module does not depend on.
package apis

import "strings"

// FieldError has the exported fields of the original.
type FieldError struct {
	Message string
	Paths   []string
	Level   int
	Details string
	errors  []FieldError
}

// Also joins errors.
func (e *FieldError) Also(others ...*FieldError) *FieldError {
	joined := &FieldError{errors: []FieldError{*e}}
	for _, other := range others {
		joined.errors = append(joined.errors, *other)
	}
	return joined
}

// WrappedErrors returns the errors one by one.
func (e *FieldError) WrappedErrors() []*FieldError {
	if e.Message != "" {
		return []*FieldError{e}
	}
	var all []*FieldError
	for i := range e.errors {
		all = append(all, e.errors[i].WrappedErrors()...)
	}
	return all
}

// Error has the messages with their paths.
func (e *FieldError) Error() string {
	var texts []string
	for _, one := range e.WrappedErrors() {
		texts = append(texts, one.Message+": "+strings.Join(one.Paths, ", "))
	}
	return strings.Join(texts, "\n")
}
