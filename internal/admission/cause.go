package admission

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// causes reads status.details.causes, and skips empty ones.
func causes(details *metav1.StatusDetails) field.ErrorList {
	if details == nil {
		return nil
	}
	var errs field.ErrorList
	for _, cause := range details.Causes {
		if cause != (metav1.StatusCause{}) {
			errs = append(errs, causeErrors(cause)...)
		}
	}
	return errs
}

// causeErrors reads one cause. Its message is the body of an error ("Invalid value: -1: must be
// positive"); some validators repeat the field before it, or give field and reason only in the
// message.
func causeErrors(cause metav1.StatusCause) field.ErrorList {
	if cause.Field == "" {
		if errs, ok := ParseAggregate(cause.Message); ok {
			return errs
		}
	}
	message := cause.Message
	if cause.Field != "" {
		message = strings.TrimPrefix(message, cause.Field+": ")
	}
	errType, typed := typeOfCause(cause.Type)
	if err, ok := readBody(message); ok && (!typed || err.Type.String() == errType.String() || !isErrorType(errType)) {
		err.Field = cause.Field
		if typed {
			err.Type = errType // "Invalid value" is the text of two types
		}
		return field.ErrorList{err}
	}
	err := &field.Error{Type: errType, Field: cause.Field, BadValue: field.OmitValueType{}, Detail: message}
	if cause.Field == "" {
		err.Origin = OriginText
	}
	return field.ErrorList{err}
}

// typeOfCause returns the error type for a reason, which is the same word, also if apimachinery has no such
// type: it equals no error of another type. A cause without a reason is invalid unless its message says
// something else.
func typeOfCause(reason metav1.CauseType) (errType field.ErrorType, given bool) {
	if reason == "" {
		return field.ErrorTypeInvalid, false
	}
	return field.ErrorType(reason), true
}

// isErrorType reports whether apimachinery has an error type.
func isErrorType(errType field.ErrorType) bool { return slices.Contains(errorTypes(), errType) }

// errorTypes lists apimachinery's error types. If two print alike, the usual one comes first.
func errorTypes() []field.ErrorType {
	return []field.ErrorType{
		field.ErrorTypeInvalid, field.ErrorTypeRequired, field.ErrorTypeForbidden, field.ErrorTypeNotSupported,
		field.ErrorTypeDuplicate, field.ErrorTypeTooLong, field.ErrorTypeTooShort, field.ErrorTypeTooMany, field.ErrorTypeTooFew,
		field.ErrorTypeNotFound, field.ErrorTypeInternal, field.ErrorTypeTypeInvalid,
	}
}
