package causes

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/sidebyside"
	"github.com/diffrun/diffrun/internal/text/fieldvalue"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Error is a validation error for people. Each text is printable, on one line, and of bounded length.
type Error struct {
	Type  field.ErrorType
	Field string
	// Value is the bad value as JSON, or empty if the error is not about a value.
	Value  string
	Detail string
}

// Errors returns the errors of a difference for people, or nil for a side without an error.
func Errors(pair equivalence.Pair) (native, declarative *Error) {
	return newError(pair, pair.Native), newError(pair, pair.Declarative)
}

func newError(pair equivalence.Pair, err *field.Error) *Error {
	if err == nil {
		return nil
	}
	shown := &Error{
		Type:   field.ErrorType(plaintext.Cut(string(err.Type), plaintext.MaxLine)),
		Field:  plaintext.Cut(strings.TrimSpace(err.Field), plaintext.MaxLine),
		Detail: plaintext.Line(err.Detail),
	}
	if sidebyside.ShowsValue(pair, err) {
		shown.Value = value(err)
	}
	return shown
}

func value(err *field.Error) string {
	encoded := string(plaintext.BadValue(err.BadValue))
	if encoded == "null" { // it is omitted, or nil
		return ""
	}
	return plaintext.Cut(encoded, plaintext.MaxValue)
}

// String returns the error without its field, as the API server prints it.
func (e *Error) String() string {
	if fieldvalue.IsValue(e.Type) {
		return e.Detail
	}
	parts := []string{e.Type.String()}
	if e.Value != "" {
		parts = append(parts, e.Value)
	}
	if e.Detail != "" {
		parts = append(parts, e.Detail)
	}
	return strings.Join(parts, ": ")
}
