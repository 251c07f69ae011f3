// Package errorjson has the JSON forms of validation errors: [Error] in reports and answers, and
// [Recorded] in captured cases. The recorders that are copied into other modules write Recorded.
package errorjson

import (
	"bytes"
	"encoding/json"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Error is a validation error with all keys. BadValue is null if the error omits it, and text if JSON
// cannot represent it.
type Error struct {
	Type     string          `json:"type"`
	Field    string          `json:"field"`
	Detail   string          `json:"detail"`
	BadValue json.RawMessage `json:"badValue"`
	Origin   string          `json:"origin"`
}

// New converts an error. It returns nil for nil.
func New(err *field.Error) *Error {
	if err == nil {
		return nil
	}
	return &Error{Type: string(err.Type), Field: err.Field, Detail: err.Detail, BadValue: plaintext.BadValue(err.BadValue),
		Origin: err.Origin}
}

// FieldError is the reverse of New. The bad value is JSON.
func (e *Error) FieldError() *field.Error {
	if e == nil {
		return nil
	}
	err := &field.Error{Type: field.ErrorType(e.Type), Field: e.Field, Detail: e.Detail, Origin: e.Origin}
	err.BadValue = field.OmitValueType{} // null is written for it, and for nil
	if e.BadValue != nil && string(e.BadValue) != "null" {
		err.BadValue = e.BadValue
	}
	return err
}

// Recorded is a validation error without empty keys.
type Recorded struct {
	Type     field.ErrorType `json:"type"`
	Field    string          `json:"field"`
	Detail   string          `json:"detail,omitempty"`
	BadValue json.RawMessage `json:"badValue,omitempty"`
	Origin   string          `json:"origin,omitempty"`
	Covered  bool            `json:"coveredByDeclarative,omitempty"`
}

// Record converts errors. It omits bad values that JSON cannot represent.
func Record(errs field.ErrorList) []Recorded {
	made := make([]Recorded, 0, len(errs))
	for _, e := range errs {
		one := Recorded{Type: e.Type, Field: e.Field, Detail: e.Detail, Origin: e.Origin, Covered: e.CoveredByDeclarative}
		if _, omitted := e.BadValue.(field.OmitValueType); e.BadValue != nil && !omitted {
			if data, err := json.Marshal(e.BadValue); err == nil {
				one.BadValue = data
			}
		}
		made = append(made, one)
	}
	return made
}

// FieldErrors is the reverse of Record. Bad values are values of JSON.
func FieldErrors(recorded []Recorded) (field.ErrorList, error) {
	var errs field.ErrorList
	for _, e := range recorded {
		made := &field.Error{Type: e.Type, Field: e.Field, Detail: e.Detail, Origin: e.Origin, CoveredByDeclarative: e.Covered}
		if len(e.BadValue) > 0 {
			decoder := json.NewDecoder(bytes.NewReader(e.BadValue))
			decoder.UseNumber() // an integer beyond 2^53 would change as a float
			if err := decoder.Decode(&made.BadValue); err != nil {
				return nil, err
			}
		}
		errs = append(errs, made)
	}
	return errs, nil
}
