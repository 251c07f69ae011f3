package plaintext

import (
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/text/fieldvalue"
)

// BadValue returns the bad value of an error as JSON, or null if the error omits it. A validator may use any
// value. A value that JSON cannot represent (NaN, a func, a cycle, a method that panics) becomes a string
// that says so, because a report must not fail because of one value.
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

// unencodable returns a text with the type of a value. A cyclic value cannot be printed safely.
func unencodable(value, cause any) json.RawMessage {
	reason := strings.TrimPrefix(fmt.Sprint(cause), "json: ")
	encoded, err := JSON(fmt.Sprintf("<%T: %s>", value, reason))
	if err != nil {
		panic("plaintext: a string has no JSON: " + err.Error())
	}
	return encoded
}

// IsAboutValue reports whether the bad value of an error of this type is meaningful, as in the text of
// field.Error.
func IsAboutValue(errorType field.ErrorType) bool {
	switch errorType {
	case field.ErrorTypeRequired, field.ErrorTypeForbidden, field.ErrorTypeTooLong, field.ErrorTypeTooShort,
		field.ErrorTypeInternal, fieldvalue.DefaultType, fieldvalue.ResultType:
		return false
	default:
		return true
	}
}
