package admission

import (
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ErrorsOf returns the validation errors in a Go error: a *field.Error, an aggregate
// (ErrorList.ToAggregate, errors.Join) or a status with causes (apierrors.NewInvalid), also when
// wrapped. The text of any other error is parsed like the text of a webhook, usually
// into one error for the whole object with the Origin OriginText.
func ErrorsOf(err error) field.ErrorList {
	if err == nil {
		return nil
	}
	if errs, structured := structuredErrors(err); structured {
		return errs
	}
	return MessageErrors(err.Error())
}

// structuredErrors returns the errors in an error that is more than a text.
func structuredErrors(err error) (errs field.ErrorList, structured bool) {
	switch err := err.(type) {
	case *field.Error:
		return field.ErrorList{err}, true
	case apierrors.APIStatus:
		status := err.Status()
		return StatusErrors(&status), true
	case utilerrors.Aggregate:
		return each(err.Errors()), true
	case interface{ Unwrap() []error }:
		return each(err.Unwrap()), true
	}
	if inner := errors.Unwrap(err); inner != nil {
		return structuredErrors(inner)
	}
	return nil, false
}

func each(errs []error) (all field.ErrorList) {
	for _, err := range errs {
		all = append(all, ErrorsOf(err)...)
	}
	return all
}
