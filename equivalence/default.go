package equivalence

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// NewDefault gives one side of a pair of class Default: the value that the field at a path, such as
// spec.ports[0].protocol, has after defaulting. The value is one of decoded JSON; nil stands for an
// absent field. Detail has it as JSON.
func NewDefault(at string, value any) *field.Error {
	return newValue(plaintext.FieldDefault, at, value, value != nil, "after defaulting")
}

// NewResult gives one side of a pair of class Result: the value that the field at a path has in what
// would be stored. It is like NewDefault, but nil is null: present is false for an absent field.
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
