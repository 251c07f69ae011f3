package validate

import "k8s.io/apimachinery/pkg/util/validation/field"

// strictOrigin marks what the API server refuses before it validates: a field that
// the kind does not have, or a value that its Go type cannot hold. Such an error
// has no type, only a text.
const strictOrigin = "strict"

func unknownField(path string) *field.Error {
	return &field.Error{Type: field.ErrorTypeForbidden, Field: path, BadValue: field.OmitValueType{}, Detail: "unknown field", Origin: strictOrigin}
}

// strict marks errors as what the API server refuses before it validates.
func strict(errs field.ErrorList) field.ErrorList {
	for _, err := range errs {
		err.Origin = strictOrigin
	}
	return errs
}
