package equivalence

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// NewDefault returns one side of a pair of class Default: the value of the field at a path, such as
// spec.ports[0].protocol, after defaulting. The value is decoded JSON; nil means an absent field. Detail
// contains it as JSON.
func NewDefault(at string, value any) *field.Error {
	return newValue(plaintext.FieldDefault, at, value, value != nil, "after defaulting")
}

// NewResult returns one side of a pair of class Result: the value of the field at a path in the object
// that would be stored. Unlike in NewDefault, nil is null; present is false for an absent field.
func NewResult(at string, value any, present bool) *field.Error {
	return newValue(plaintext.FieldResult, at, value, present, "after mutation and defaulting")
}

func newValue(errorType field.ErrorType, at string, value any, present bool, when string) *field.Error {
	side := &field.Error{Type: errorType, Field: at, BadValue: value, Detail: "absent " + when}
	if !present {
		return side
	}
	text, err := json.Marshal(value)
	if err != nil {
		text = fmt.Append(nil, value)
	}
	side.Detail = string(text) + " " + when
	return side
}
