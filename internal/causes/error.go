package causes

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/plaintext"
)

// Error is a validation error for people: its texts are printable, each on one line, and
// cut.
type Error struct {
	Type  field.ErrorType
	Field string
	// Value is the bad value as JSON; empty if the error is not about one.
	Value  string
	Detail string
}

// NewError gives the form of an error for people; nil for nil.
func NewError(err *field.Error) *Error {
	if err == nil {
		return nil
	}
	shown := &Error{
		Type:   field.ErrorType(plaintext.Cut(string(err.Type), plaintext.MaxLine)),
		Field:  plaintext.Cut(strings.TrimSpace(err.Field), plaintext.MaxLine),
		Detail: plaintext.Line(err.Detail),
	}
	if _, omitted := err.BadValue.(field.OmitValueType); !omitted && plaintext.IsAboutValue(err.Type) {
		shown.Value = plaintext.Cut(string(plaintext.BadValue(err.BadValue)), plaintext.MaxValue)
	}
	return shown
}

// String is the error without its field, as the API server prints it.
func (e *Error) String() string {
	parts := []string{e.Type.String()}
	if e.Value != "" {
		parts = append(parts, e.Value)
	}
	if e.Detail != "" {
		parts = append(parts, e.Detail)
	}
	return strings.Join(parts, ": ")
}
