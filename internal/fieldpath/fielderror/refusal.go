package fielderror

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath"
)

// Origins that decide how an error is compared. Backends set them. Most are of errors that represent a refusal as a
// whole.
const (
	// OriginText marks the one error that represents a refusal whose text names no field.
	OriginText = "admission/text"
	// OriginDenied marks the one error that represents a refusal without a text.
	OriginDenied = "admission/denied"
	// OriginPanic marks the one error that represents a refusal because the webhook panicked. The place in
	// its source follows after a slash, if that is known.
	OriginPanic = "admission/panic"
	// OriginDecoding marks an error about a value that the Go type of a validator cannot hold. The validator
	// itself did not see the object.
	OriginDecoding = "decoding"
	// OriginRule is that of an error of a CEL rule in a schema, the keyword.
	OriginRule = "x-kubernetes-validations"
	// OriginPolicy is the prefix of the Origin of a denial by a policy. The names of policy and binding
	// follow, each after a slash, and the part of the policy that denied if it is known, such as
	// "validations[1]".
	OriginPolicy = "ValidatingAdmissionPolicy"
	// OriginMutatingPolicy is the same for a policy that could not change an object.
	OriginMutatingPolicy = "MutatingAdmissionPolicy"
	// ExpressionFailed begins the detail of a denial because an expression of a policy failed, rather than
	// evaluated to false.
	ExpressionFailed = "the expression failed: "
)

// IsPanic reports whether an error is the refusal of a webhook that panicked; err may be nil.
func IsPanic(err *field.Error) bool {
	return err != nil && (err.Origin == OriginPanic || strings.HasPrefix(err.Origin, OriginPanic+"/"))
}

// PanicPlace returns the place of a panic, such as "example.com/api/v1/widget.go:12 (v1.validate)"; empty: it is
// not known, or the error is no panic.
func PanicPlace(err *field.Error) string {
	if !IsPanic(err) {
		return ""
	}
	return strings.TrimPrefix(strings.TrimPrefix(err.Origin, OriginPanic), "/")
}

// Panic returns the error for the panic of a webhook with a message, at a place in its source; empty: unknown.
func Panic(message, place string) *field.Error {
	origin := OriginPanic
	if place != "" {
		origin += "/" + place
	}
	return &field.Error{Type: field.ErrorTypeInvalid, BadValue: field.OmitValueType{}, Detail: message, Origin: origin}
}

// IsPolicy reports whether an error is the denial of an admission policy; err may be nil.
func IsPolicy(err *field.Error) bool {
	return err != nil && (strings.HasPrefix(err.Origin, OriginPolicy+"/") || strings.HasPrefix(err.Origin, OriginMutatingPolicy+"/"))
}

// PolicyPart returns the policy that denied, with the part of it if that is known, such as
// "quotas/validations[1]". It is empty for all other errors.
func PolicyPart(err *field.Error) string {
	if !IsPolicy(err) {
		return ""
	}
	parts := strings.Split(err.Origin, "/")
	if len(parts) < 4 { // kind, policy, binding, part
		return parts[1]
	}
	return parts[1] + "/" + parts[3]
}

// NamesNoField reports whether an error is a refusal by a validator outside the process whose text names
// no field (OriginText).
func NamesNoField(err *field.Error) bool { return err != nil && err.Origin == OriginText }

// IsDecoding reports whether an error is that of a decoder, before a validator saw the object (OriginDecoding).
func IsDecoding(err *field.Error) bool { return err != nil && err.Origin == OriginDecoding }

// rulesNotChecked is the text of RulesNotChecked.
const rulesNotChecked = "some validation rules were not checked because the object was invalid; correct the existing " +
	"errors to complete validation"

// RulesNotChecked returns the error that apiextensions-apiserver reports, at the root, in place of the
// errors of a schema's rules if they cannot run on an object of this shape.
func RulesNotChecked() *field.Error { return field.Invalid(nil, nil, rulesNotChecked) }

// IsRulesNotChecked reports whether an error is that of RulesNotChecked. Errors of rules have a value, or
// omit it.
func IsRulesNotChecked(err *field.Error) bool {
	return err != nil && err.Type == field.ErrorTypeInvalid && fieldpath.Canonical(err.Field) == "" &&
		err.BadValue == nil && strings.TrimSpace(err.Detail) == rulesNotChecked
}
