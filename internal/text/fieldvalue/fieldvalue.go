// Package fieldvalue has the sides of pairs that are values of a field, not errors.
package fieldvalue

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// The types of sides that are values of a field: after defaulting, or after mutation and defaulting.
const (
	DefaultType field.ErrorType = "FieldDefault"
	ResultType  field.ErrorType = "FieldResult"
)

// IsValue reports whether an entry of this type is the value of a field.
func IsValue(errorType field.ErrorType) bool {
	return errorType == DefaultType || errorType == ResultType
}

// Default returns one side of a pair of class equivalence.Default: the value of the field at a path, such as
// spec.ports[0].protocol, after defaulting. The value is decoded JSON; nil means an absent field. Detail
// contains it as JSON.
func Default(at string, value any) *field.Error {
	return side(DefaultType, at, value, value != nil, "after defaulting")
}

// Result returns one side of a pair of class equivalence.Result: the value of the field at a path in the object
// that would be stored. Unlike in Default, nil is null; present is false for an absent field.
func Result(at string, value any, present bool) *field.Error {
	return side(ResultType, at, value, present, "after mutation and defaulting")
}

func side(errorType field.ErrorType, at string, value any, present bool, when string) *field.Error {
	made := &field.Error{Type: errorType, Field: at, BadValue: value, Detail: "absent " + when}
	if !present {
		return made
	}
	text, err := json.Marshal(value)
	if err != nil {
		text = fmt.Append(nil, value)
	}
	made.Detail = string(text) + " " + when
	return made
}
