package customresource

import "k8s.io/apimachinery/pkg/util/validation/field"

// blocksRules says that the API server runs no rule on an object with this error
// (pkg/registry/customresource/strategy.go, hasBlockingErr).
func blocksRules(err *field.Error) bool {
	switch err.Type {
	case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
		return true
	}
	return false
}

const notCheckedDetail = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"

// notChecked is the error that says so.
func notChecked() *field.Error {
	err := field.Invalid(nil, nil, notCheckedDetail)
	err.Origin = rulesKeyword
	return err
}

func isNotChecked(err *field.Error) bool {
	return err.Origin == rulesKeyword && err.Detail == notCheckedDetail
}
