package validate

import "k8s.io/apimachinery/pkg/util/validation/field"

// strictOrigin marks errors that the API server returns before it validates: an unknown field, or a value that
// the Go type cannot represent. Such an error has no type, only a text.
const strictOrigin = "strict"

func unknownField(path string) *field.Error {
	return &field.Error{
		Type:     field.ErrorTypeForbidden,
		Field:    path,
		BadValue: field.OmitValueType{},
		Detail:   "unknown field",
		Origin:   strictOrigin,
	}
}

// strict marks errors that the API server returns before it validates.
func strict(errs field.ErrorList) field.ErrorList {
	for _, err := range errs {
		err.Origin = strictOrigin
	}
	return errs
}
