package causes

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
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
	native, declarative = newError(pair.Native), newError(pair.Declarative)
	if pair.Class == equivalence.Detail && pair.Native.Detail == pair.Declarative.Detail {
		native.Value, declarative.Value = value(pair.Native), value(pair.Declarative) // only they differ
	}
	return native, declarative
}

func newError(err *field.Error) *Error {
	if err == nil {
		return nil
	}
	shown := &Error{
		Type:   field.ErrorType(plaintext.Cut(string(err.Type), plaintext.MaxLine)),
		Field:  plaintext.Cut(strings.TrimSpace(err.Field), plaintext.MaxLine),
		Detail: plaintext.Line(err.Detail),
	}
	if plaintext.IsAboutValue(err.Type) {
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
	if plaintext.IsFieldValue(e.Type) {
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
