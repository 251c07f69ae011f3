package plaintext

import (
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// BadValue gives the bad value of an error as JSON, null where the error
// leaves it out. A validator may put anything there; what JSON cannot hold
// (NaN, a func, a cycle, a method that panics) becomes a string that says so,
// for a report must not fail over one value.
func BadValue(value any) (encoded json.RawMessage) {
	defer func() {
		if cause := recover(); cause != nil {
			encoded = unencodable(value, cause)
		}
	}()
	switch special := value.(type) {
	case field.OmitValueType:
		value = nil
	case json.Marshaler:
	case error:
		value = special.Error()
	}
	encoded, err := JSON(value)
	if err != nil {
		return unencodable(value, err)
	}
	return encoded
}

// unencodable stands for a value by its type: neither fmt nor anything else
// could print a cyclic value safely.
func unencodable(value, cause any) json.RawMessage {
	reason := strings.TrimPrefix(fmt.Sprint(cause), "json: ")
	encoded, err := JSON(fmt.Sprintf("<%T: %s>", value, reason))
	if err != nil {
		panic("plaintext: a string has no JSON: " + err.Error())
	}
	return encoded
}

// FieldDefault is the type of what is no error but the value that a field has after defaulting. The
// value is in its detail.
const FieldDefault field.ErrorType = "FieldDefault"

// FieldResult is that of the value that a field has after mutation and defaulting.
const FieldResult field.ErrorType = "FieldResult"

// IsFieldValue reports whether a type is that of the value of a field, and not of an error.
func IsFieldValue(errorType field.ErrorType) bool {
	return errorType == FieldDefault || errorType == FieldResult
}

// IsAboutValue says, as field.Error's own text does, whether the bad value of an error of
// this type means anything.
func IsAboutValue(errorType field.ErrorType) bool {
	switch errorType {
	case field.ErrorTypeRequired, field.ErrorTypeForbidden, field.ErrorTypeTooLong, field.ErrorTypeTooShort, field.ErrorTypeInternal, FieldDefault, FieldResult:
		return false
	default:
		return true
	}
}
